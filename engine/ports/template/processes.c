/* Processes, and memory that they share. */
#include "rtgauge/port.h"

void *rtg_shared_get(size_t *bytes)
{
    *bytes = 0;
    return NULL;
}

void rtg_shared_put(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

int rtg_process_create(struct rtg_process *p, const struct rtg_thread_spec *spec)
{
    (void)p;
    (void)spec;
    return RTG_ENOSUP;
}

int rtg_process_join(struct rtg_process *p)
{
    (void)p;
    return RTG_ENOSUP;
}

int rtg_process_kill(struct rtg_process *p)
{
    (void)p;
    return RTG_ENOSUP;
}
