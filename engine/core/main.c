/* The engine as a program of its own. */
#include "core.h"

int main(void)
{
    rtg_port_exit(rtg_engine());
    return 0;
}
