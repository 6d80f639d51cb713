#include <stddef.h>

#include "cmsdk_dual.h"
#include "rtgauge/clock.h"

static const char *unusable(const char **why_good)
{
    *why_good = "the board's peripheral clock drives it, which nothing changes";
    return NULL;
}

static rtg_stamp_t read_now(void)
{
    return rtg_stamp_stop();
}

const struct rtg_clock rtg_clock_cmsdk_dual = {
    .name = "cmsdk-dual-timer",
    .width = 32,
    .direction = -1,
    .rate_num = 25000000,
    .rate_den = 1,
    .unusable = unusable,
    .read = read_now,
};
