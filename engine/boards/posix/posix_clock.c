#include "posix_clock.h"
#include "rtgauge/clock.h"

#include <stddef.h>

static const char *unusable(const char **why_good)
{
    *why_good = "CLOCK_MONOTONIC of the machine that the simulator runs on";
    return NULL;
}

static rtg_stamp_t read_now(void)
{
    return rtg_stamp_stop();
}

const struct rtg_clock rtg_clock_posix_clock = {
    .name = "posix-monotonic",
    .width = 64,
    .direction = 1,
    .rate_num = 1000000000,
    .rate_den = 1,
    .unusable = unusable,
    .read = read_now,
};
