#include <stddef.h>

#include "riscv_mcycle.h"
#include "rtgauge/clock.h"

static const char *unusable(const char **why_good)
{
    *why_good = "cycles of the processor, which its board says run at a constant rate";
    return NULL;
}

static rtg_stamp_t read_now(void)
{
    return (rtg_stamp_t)rtg_stamp_stop();
}

/* The rate is the board's, so it is measured. */
const struct rtg_clock rtg_clock_riscv_mcycle = {
    .name = "riscv-mcycle",
    .width = 64,
    .direction = 1,
    .unusable = unusable,
    .read = read_now,
};
