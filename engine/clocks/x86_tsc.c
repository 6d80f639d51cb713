#include <cpuid.h>

#include "rtgauge/clock.h"
#include "x86_tsc.h"

/* CPUID: rdtscp is 0x80000001 EDX bit 27; a rate that no power state changes is
 * 0x80000007 EDX bit 8. Whether the CPUs agree is measured by the core. */
static const char *unusable(const char **why_good)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(0x80000001u, &a, &b, &c, &d) || !(d >> 27 & 1))
        return "the processor has no rdtscp";
    if (!__get_cpuid(0x80000007u, &a, &b, &c, &d) || !(d >> 8 & 1))
        return "the processor does not promise a constant rate (no invariant TSC)";
    *why_good = "the processor promises a constant rate in all power states (invariant TSC)";
    return NULL;
}

static rtg_stamp_t read_now(void)
{
    return rtg_stamp_stop();
}

const struct rtg_clock rtg_clock_x86_tsc = {
    .name = "x86-tsc",
    .width = 64,
    .direction = 1,
    .unusable = unusable,
    .read = read_now,
};
