/* The stamp clock of the fake port: virtual time itself, 1 tick = 1 ns. */
#ifndef RTG_CLOCK_FAKE_VIRTUAL_H
#define RTG_CLOCK_FAKE_VIRTUAL_H

#include "fake_time.h"

static inline uint64_t rtg_stamp_start(void)
{
    fake_compute(fake_costs.stamp);
    return fake_stamp();
}

static inline uint64_t rtg_stamp_stop(void)
{
    return rtg_stamp_start();
}

#endif
