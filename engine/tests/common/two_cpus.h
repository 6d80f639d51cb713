/* two_cpus.h - for tests with a thread on a second CPU. */
#ifndef RTGAUGE_TESTS_TWO_CPUS_H
#define RTGAUGE_TESTS_TWO_CPUS_H

#include "rtgauge/test.h"

/* The k-th CPU counted from the one under test, which is number 0. */
static inline int32_t nth_cpu(uint32_t k)
{
    uint32_t count = rtg_cpu_count(), base = 0;
    while (base + 1 < count && (int32_t)rtg_cpu_at(base) != rtg_test_cpu())
        base++;
    return (int32_t)rtg_cpu_at((base + k) % count);
}

static inline int32_t other_cpu(void)
{
    return nth_cpu(1);
}

static inline bool spawn_there(struct rtg_run *run, struct rtg_thread *t, enum rtg_policy policy,
                               uint32_t level, rtg_entry entry)
{
    struct rtg_thread_spec spec = {
        .entry = entry, .policy = policy, .level = level, .cpu = other_cpu()};
    return rtg_spawn_as(run, t, &spec);
}

#endif
