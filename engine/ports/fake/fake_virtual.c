#include <stddef.h>

#include "fake_virtual.h"
#include "rtgauge/clock.h"

static const char *unusable(const char **why_good)
{
    *why_good = "virtual time: each read moves it by a fixed cost";
    return NULL;
}

static rtg_stamp_t read_now(void)
{
    return rtg_stamp_stop();
}

const struct rtg_clock rtg_clock_fake_virtual = {
    .name = "fake-virtual",
    .width = 64,
    .direction = 1,
    .rate_num = 1000000000u,
    .rate_den = 1,
    .unusable = unusable,
    .read = read_now,
};
