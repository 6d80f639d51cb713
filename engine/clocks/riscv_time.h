/* The `time` counter of RISC-V, read by rdtime. The fences order memory accesses
 * against the counter (an input device) on both sides. */
#ifndef RTG_CLOCK_RISCV_TIME_H
#define RTG_CLOCK_RISCV_TIME_H

#include <stdint.h>

static inline __attribute__((always_inline)) uint64_t rtg_stamp_start(void)
{
    uint64_t ticks;
    __asm__ volatile("fence iorw, iorw\n\trdtime %0\n\tfence iorw, iorw"
                     : "=r"(ticks)
                     :
                     : "memory");
    return ticks;
}

static inline __attribute__((always_inline)) uint64_t rtg_stamp_stop(void)
{
    return rtg_stamp_start();
}

#endif
