/* This system has one process, as small ones do. */
#include "rtgauge/port.h"

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
