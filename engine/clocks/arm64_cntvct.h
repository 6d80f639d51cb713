/* The virtual counter of the generic timer of ARMv8-A. isb keeps the read from
 * being taken early, and what follows from starting before it. */
#ifndef RTG_CLOCK_ARM64_CNTVCT_H
#define RTG_CLOCK_ARM64_CNTVCT_H

#include <stdint.h>

static inline __attribute__((always_inline)) uint64_t rtg_stamp_start(void)
{
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline __attribute__((always_inline)) uint64_t rtg_stamp_stop(void)
{
    return rtg_stamp_start();
}

#endif
