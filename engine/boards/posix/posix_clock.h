/* The machine's monotonic clock, in ns. */
#ifndef RTG_POSIX_CLOCK_H
#define RTG_POSIX_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t rtg_stamp_start(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t rtg_stamp_stop(void)
{
    return rtg_stamp_start();
}

#endif
