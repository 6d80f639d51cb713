#include <cpuid.h>

#include "rtgauge/clock.h"
#include "x86_tsc.h"

/* The signature that a hypervisor gives in CPUID 0x40000000: QEMU's own emulation promises no
 * rate in the processor's words, but its counter is its clock. */
static int emulated_by_qemu(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 31))
        return 0;
    __cpuid(0x40000000u, a, b, c, d);
    return b == 0x54474354u && c == 0x43544743u && d == 0x47435447u; /* TCGTCGTCGTCG */
}

/* CPUID: rdtscp is 0x80000001 EDX bit 27; a rate that no power state changes is
 * 0x80000007 EDX bit 8. Whether the CPUs agree is measured by the core. */
static const char *unusable(const char **why_good)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(0x80000001u, &a, &b, &c, &d) || !(d >> 27 & 1))
        return "the processor has no rdtscp";
    if (emulated_by_qemu()) {
        *why_good = "the processor is QEMU's, whose counter is the emulation's own clock";
        return NULL;
    }
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
