#include <stddef.h>

#include "rtgauge/clock.h"
#include "template_clock.h"

static const char *unusable(const char **why_good)
{
    (void)why_good;
    return "the template has no clock";
}

static rtg_stamp_t read_now(void)
{
    return rtg_stamp_stop();
}

const struct rtg_clock rtg_clock_template_clock = {
    .name = "template",
    .width = 32,
    .direction = 1,
    .unusable = unusable,
    .read = read_now,
};
