/* What the fake system says of itself: processors, clocks, the tick. */
#include "fake.h"

#define TIME_OF_DAY_AT_0 UINT64_C(1700000000000000000)

/* ---- processors -------------------------------------------------------- */

uint32_t rtg_cpu_count(void)
{
    return 1;
}

uint32_t rtg_cpu_at(uint32_t index)
{
    (void)index;
    return 0;
}

uint32_t rtg_cpu_now(void)
{
    fake_compute(fake_costs.poll);
    return 0;
}

void rtg_cpu_relax(void)
{
    fake_compute(fake_costs.poll);
}

void rtg_work(uint32_t rounds)
{
    fake_compute(rounds);
}

/* ---- clocks ------------------------------------------------------------ */

uint64_t rtg_os_now(void)
{
    fake_compute(fake_costs.os_now);
    return fake_now;
}

static uint64_t read_coarse(void)
{
    fake_compute(fake_costs.os_now);
    return fake_last_tick();
}

int rtg_os_clock(uint32_t index, struct rtg_os_clock *clock)
{
    static const struct rtg_os_clock clocks[] = {
        {"fake-monotonic", 1, rtg_os_now},
        {"fake-coarse", FAKE_TICK_NS, read_coarse},
    };
    if (!clock)
        return RTG_EINVAL;
    if (index >= sizeof clocks / sizeof *clocks)
        return RTG_ENOSUP;
    *clock = clocks[index];
    return RTG_OK;
}

int rtg_os_tick(uint64_t *value)
{
    if (!value)
        return RTG_EINVAL;
    fake_enter_kernel();
    fake_compute(fake_costs.syscall);
    *value = fake_counts.ticks;
    return RTG_OK;
}

int rtg_tick_changeable(const char **how)
{
    *how = "the fake port's tick period is a constant";
    return 0;
}

uint64_t rtg_time_of_day_syscall(void)
{
    fake_enter_kernel();
    fake_compute(fake_costs.syscall);
    return TIME_OF_DAY_AT_0 + fake_now;
}

static uint64_t time_of_day_user(void)
{
    fake_compute(fake_costs.os_now);
    return TIME_OF_DAY_AT_0 + fake_now;
}

uint64_t (*const rtg_time_of_day_user)(void) = time_of_day_user;
