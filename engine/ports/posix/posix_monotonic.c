#include "posix_monotonic.h"
#include "rtgauge/clock.h"

static const char *unusable(const char **why_good)
{
    struct timespec t;
    if (clock_gettime(RTG_POSIX_STAMP_CLOCK, &t) != 0)
        return "clock_gettime refuses this clock";
    *why_good = "the operating system promises that it neither steps nor runs backwards";
    return NULL;
}

static rtg_stamp_t read_now(void)
{
    return rtg_stamp_stop();
}

const struct rtg_clock rtg_clock_posix_monotonic = {
#ifdef CLOCK_MONOTONIC_RAW
    .name = "clock-monotonic-raw",
#else
    .name = "clock-monotonic",
#endif
    .width = 64,
    .direction = 1,
    .rate_num = 1000000000u,
    .rate_den = 1,
    .unusable = unusable,
    .read = read_now,
};
