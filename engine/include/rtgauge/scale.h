/*
 * scale.h - from the units of one clock to those of another, for the core and ports.
 */
#ifndef RTGAUGE_SCALE_H
#define RTGAUGE_SCALE_H

#include <stdint.h>

/* x * num / den for x < 2^63, and num and den < 2^55, byte by byte, without overflow. den > 0. */
static inline uint64_t rtg_scale(uint64_t x, uint64_t num, uint64_t den)
{
    uint64_t whole = num / den, part = num % den, quotient = 0, rest = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        uint64_t next = rest * 256 + (x >> shift & 255) * part;
        quotient = quotient * 256 + next / den;
        rest = next % den;
    }
    return x * whole + quotient;
}

#endif
