/* The inline stamps: a fenced read of the finest monotonic counter. */
#ifndef RTG_CLOCK_TEMPLATE_H
#define RTG_CLOCK_TEMPLATE_H

#include <stdint.h>

static inline uint64_t rtg_stamp_start(void)
{
    return 0;
}

static inline uint64_t rtg_stamp_stop(void)
{
    return 0;
}

#endif
