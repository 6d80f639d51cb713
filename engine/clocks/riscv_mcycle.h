/* The cycle counter of RISC-V as machine mode reads it. The fences order memory accesses
 * against the counter on both sides. */
#ifndef RTG_CLOCK_RISCV_MCYCLE_H
#define RTG_CLOCK_RISCV_MCYCLE_H

#include <stdint.h>

static inline __attribute__((always_inline)) uint64_t rtg_stamp_start(void)
{
    uint64_t ticks;
    __asm__ volatile("fence iorw, iorw\n\tcsrr %0, mcycle\n\tfence iorw, iorw"
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
