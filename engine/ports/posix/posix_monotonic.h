/* clock_gettime as stamp clock: CLOCK_MONOTONIC_RAW where the system has it (no
 * adjustment of its rate), else CLOCK_MONOTONIC. Ticks are nanoseconds. */
#ifndef RTG_CLOCK_POSIX_MONOTONIC_H
#define RTG_CLOCK_POSIX_MONOTONIC_H

#include <stdint.h>
#include <time.h>

#ifdef CLOCK_MONOTONIC_RAW
#define RTG_POSIX_STAMP_CLOCK CLOCK_MONOTONIC_RAW
#else
#define RTG_POSIX_STAMP_CLOCK CLOCK_MONOTONIC
#endif

static inline __attribute__((always_inline)) uint64_t rtg_stamp_start(void)
{
    struct timespec t;
    clock_gettime(RTG_POSIX_STAMP_CLOCK, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline __attribute__((always_inline)) uint64_t rtg_stamp_stop(void)
{
    return rtg_stamp_start();
}

#endif
