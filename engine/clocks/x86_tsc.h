/* The time stamp counter of x86-64. Fences keep the operation between the stamps:
 * lfence waits until earlier instructions have completed, and later ones do not
 * start before it; rdtscp itself waits for earlier ones. Inline also where the
 * compiler is asked for small code: a call would be measured with the operation. */
#ifndef RTG_CLOCK_X86_TSC_H
#define RTG_CLOCK_X86_TSC_H

#include <stdint.h>

static inline __attribute__((always_inline)) uint64_t rtg_stamp_start(void)
{
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

static inline __attribute__((always_inline)) uint64_t rtg_stamp_stop(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high) : : "ecx", "memory");
    return (uint64_t)high << 32 | low;
}

#endif
