/* Sleeping, timers and clocks. */
#include "rtgauge/port.h"

uint64_t rtg_os_now(void)
{
    return 0;
}

int rtg_sleep_until(uint64_t due_ns)
{
    (void)due_ns;
    return RTG_ENOSUP;
}

int rtg_sleep_for(uint64_t ns)
{
    (void)ns;
    return RTG_ENOSUP;
}

int rtg_timer_create(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns)
{
    (void)t;
    (void)first_ns;
    (void)period_ns;
    return RTG_ENOSUP;
}

int rtg_timer_create_native(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns)
{
    return rtg_timer_create(t, first_ns, period_ns);
}

int rtg_timer_wait(struct rtg_timer *t, uint64_t *expiries)
{
    (void)t;
    (void)expiries;
    return RTG_ENOSUP;
}

int rtg_timer_destroy(struct rtg_timer *t)
{
    (void)t;
    return RTG_ENOSUP;
}

int rtg_os_tick(uint64_t *value)
{
    (void)value;
    return RTG_ENOSUP;
}

int rtg_os_clock(uint32_t index, struct rtg_os_clock *clock)
{
    (void)index;
    (void)clock;
    return RTG_ENOSUP;
}

uint64_t rtg_time_of_day_syscall(void)
{
    return 0;
}

uint64_t (*const rtg_time_of_day_user)(void) = NULL;

int rtg_tick_changeable(const char **how)
{
    *how = "not known";
    return -1;
}
