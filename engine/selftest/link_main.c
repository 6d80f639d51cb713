/* The serial link of boards (engine/boards/common/link.c). */
#include "check.h"
#include "link_test.h"

int main(void)
{
    test_link_read();
    test_link_write();
    test_link_noise();
    test_link_gone();
    test_link_stop();
    test_link_end();
    test_link_fuzz();
    return check_end();
}
