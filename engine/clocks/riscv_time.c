#include <stddef.h>

#include "riscv_time.h"
#include "rtgauge/clock.h"

static const char *unusable(const char **why_good)
{
    *why_good = "the architecture promises a constant rate, the same on every hart (time CSR)";
    return NULL;
}

static rtg_stamp_t read_now(void)
{
    return (rtg_stamp_t)rtg_stamp_stop();
}

const struct rtg_clock rtg_clock_riscv_time = {
    .name = "riscv-time",
    .width = 64,
    .direction = 1,
    .unusable = unusable,
    .read = read_now,
};
