/* The inline stamps: the finest counter of the board, read so that the operation stays between. */
#ifndef RTG_CLOCK_TEMPLATE_H
#define RTG_CLOCK_TEMPLATE_H

#include <stdint.h>

static inline __attribute__((always_inline)) uint32_t rtg_stamp_start(void)
{
    return 0;
}

static inline __attribute__((always_inline)) uint32_t rtg_stamp_stop(void)
{
    return rtg_stamp_start();
}

#endif
