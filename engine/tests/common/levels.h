/* levels.h - where threads stand to each other in the tests that need several
 * levels. The thread that drives a scene stands at RTG_LO: whoever it wakes above
 * that runs at once, and that the driver goes on proves that the other has stopped. */
#ifndef RTGAUGE_TESTS_LEVELS_H
#define RTGAUGE_TESTS_LEVELS_H

#include "roles.h"

/* The i-th of n levels, lowest first, all above the driver's. */
static inline uint32_t level_above_driver(uint32_t i, uint32_t n)
{
    uint32_t lowest = rtg_role_level(RTG_LO) + 1;
    uint32_t level = rtg_spread_level(i, n);
    return level < lowest ? lowest : level;
}

#endif
