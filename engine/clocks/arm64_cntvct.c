#include <stddef.h>

#include "arm64_cntvct.h"
#include "rtgauge/clock.h"

static const char *unusable(const char **why_good)
{
    uint64_t rate;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(rate));
    if (rate < 1000000)
        return "the generic timer is slower than 1 MHz";
    *why_good = "the architecture promises a constant rate, the same on every CPU (generic timer)";
    return NULL;
}

static rtg_stamp_t read_now(void)
{
    return (rtg_stamp_t)rtg_stamp_stop();
}

/* cntfrq_el0 is what firmware wrote there, so the rate is measured. */
const struct rtg_clock rtg_clock_arm64_cntvct = {
    .name = "arm64-cntvct",
    .width = 56, /* the least that the architecture guarantees */
    .direction = 1,
    .unusable = unusable,
    .read = read_now,
};
