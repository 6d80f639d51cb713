/* What the fake system says of itself: processors, clocks, the tick. */
#include "fake.h"

#define TIME_OF_DAY_AT_0 UINT64_C(1700000000000000000)
#define READS_TO_A_HELD_ONE 100   /* FAULT_KERNEL_BLOCKS */
#define CLOCK_FAULT_NS 150000000u /* from the start to a step or wrap of the stamp clock */

/* ---- processors -------------------------------------------------------- */

uint32_t rtg_cpu_count(void)
{
    return fake_has(FAULT_CLOCK_DIFFERS) ? 2 : 1;
}

uint32_t rtg_cpu_at(uint32_t index)
{
    return index;
}

uint32_t rtg_cpu_now(void)
{
    fake_compute(fake_costs.poll);
    return fake_current->cpu;
}

/* The second CPU, which only a fault has, gets its time whenever the first one spins,
 * and the other way round. */
void rtg_cpu_relax(void)
{
    fake_compute(fake_costs.poll);
    if (fake_has(FAULT_CLOCK_DIFFERS))
        fake_place_caller(FAKE_TAIL);
}

void rtg_work(uint32_t rounds)
{
    fake_compute(rounds);
}

/* ---- clocks ------------------------------------------------------------ */

uint64_t fake_wrong_stamp(void)
{
    uint64_t change = FAKE_BOOT_NS + CLOCK_FAULT_NS;
    if (fake_has(FAULT_CLOCK_COARSE))
        return fake_now / fake_k * fake_k;
    if (fake_has(FAULT_CLOCK_STEPS_BACK) && fake_now >= change)
        return fake_now - fake_k * 1000;
    if (fake_has(FAULT_CLOCK_WRAPS))
        return (uint32_t)(fake_now - change);
    if (fake_has(FAULT_CLOCK_DIFFERS) && fake_current->cpu != 0)
        return fake_now + fake_k;
    return fake_now;
}

uint64_t rtg_os_now(void)
{
    fake_compute(fake_costs.os_now);
    uint64_t step = fake_has(FAULT_OS_CLOCK_COARSE) ? fake_k * 1000 : 1;
    return fake_now / step * step;
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
    static uint64_t reads;
    fake_enter_kernel();
    fake_compute(fake_costs.syscall);
    if (fake_has(FAULT_KERNEL_BLOCKS) && ++reads % READS_TO_A_HELD_ONE == 0)
        fake_compute_masked(fake_k * 1000);
    return TIME_OF_DAY_AT_0 + fake_now;
}

static uint64_t time_of_day_user(void)
{
    fake_compute(fake_costs.os_now);
    return TIME_OF_DAY_AT_0 + fake_now;
}

uint64_t (*const rtg_time_of_day_user)(void) = time_of_day_user;
