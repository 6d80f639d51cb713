/* The engine as a task of a running system. */
#include "freertos.h"

#include "core.h"

int rtg_freertos_run(void)
{
    freertos_adopt_caller();
    return rtg_engine();
}

size_t rtg_freertos_stack(void)
{
    return 6 * RTG_THREAD_STACK;
}
