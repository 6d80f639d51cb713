/* The first counter of the board's CMSDK dual timer: 32 bits, counts down with the peripheral
 * clock of 25 MHz. The processor reads a device in program order, and completes the read before
 * the next instruction that uses it; the compiler is kept from moving memory accesses over it. */
#ifndef RTG_CLOCK_CMSDK_DUAL_H
#define RTG_CLOCK_CMSDK_DUAL_H

#include <stdint.h>

#define RTG_CMSDK_DUAL_VALUE (*(volatile const uint32_t *)0x40002004u)

static inline __attribute__((always_inline)) uint32_t rtg_stamp_start(void)
{
    __asm__ volatile("" : : : "memory");
    uint32_t ticks = RTG_CMSDK_DUAL_VALUE;
    __asm__ volatile("" : : : "memory");
    return ticks;
}

static inline __attribute__((always_inline)) uint32_t rtg_stamp_stop(void)
{
    return rtg_stamp_start();
}

#endif
