/* Linux: the kernel's events by CLOCK_MONOTONIC_RAW, told in stamps of a counter from which the
 * kernel makes that clock. Both advance together, so two readings of both tell all between. */
#define _GNU_SOURCE
#include <string.h>

#include "linux_events.h"
#include "posix.h"
#include "rtgauge/clock.h"
#include "rtgauge/scale.h"

enum { TRIES = 16 };

uint64_t linux_anchored(const struct linux_anchor *from, const struct linux_anchor *to, uint64_t ns)
{
    uint64_t ticks = to->stamp - from->stamp, span = to->ns - from->ns;
    if (span == 0)
        return from->stamp;
    return ns < from->ns ? from->stamp - rtg_scale(from->ns - ns, ticks, span)
                         : from->stamp + rtg_scale(ns - from->ns, ticks, span);
}

/* The tightest of a few readings. */
static struct linux_anchor read_anchor(const struct rtg_clock *clock)
{
    struct linux_anchor best = {.width_ns = UINT64_MAX};
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = posix_read_clock(CLOCK_MONOTONIC_RAW);
        uint64_t stamp = clock->read();
        uint64_t width = posix_read_clock(CLOCK_MONOTONIC_RAW) - before;
        if (width < best.width_ns)
            best = (struct linux_anchor){stamp, before + width / 2, width};
    }
    return best;
}

/* Counters that count up and do not wrap for decades. */
bool linux_clock_is_raw(const struct rtg_clock *clock)
{
    return strcmp(clock->name, "arm64-cntvct") == 0 || strcmp(clock->name, "riscv-time") == 0;
}

void linux_clock_begin(const struct rtg_clock *clock)
{
    linux_recorder.clock = clock;
    linux_recorder.first = linux_recorder.last = read_anchor(clock);
    linux_recorder.resolution_ns = linux_recorder.first.width_ns + 1;
}

/* What the last reading lies off the line from the first one to this one, ns. */
static uint64_t off_the_line(const struct linux_anchor *last, const struct linux_anchor *now)
{
    const struct linux_anchor *first = &linux_recorder.first;
    uint64_t told = linux_anchored(first, now, last->ns), ticks = now->stamp - first->stamp;
    uint64_t off = told > last->stamp ? told - last->stamp : last->stamp - told;
    return ticks == 0 ? 0 : rtg_scale(off, now->ns - first->ns, ticks);
}

void linux_clock_advance(void)
{
    struct linux_recorder *r = &linux_recorder;
    if (r->clock == NULL)
        return;
    struct linux_anchor now = read_anchor(r->clock);
    linux_clock_coarser(now.width_ns + 1);
    linux_clock_coarser(off_the_line(&r->last, &now));
    r->last = now;
}

void linux_clock_coarser(uint64_t ns)
{
    if (ns > linux_recorder.resolution_ns)
        linux_recorder.resolution_ns = ns;
}

uint64_t linux_clock_ticks(uint64_t ns)
{
    const struct linux_anchor *first = &linux_recorder.first, *last = &linux_recorder.last;
    if (linux_recorder.clock == NULL)
        return ns; /* the other clocks of which times are shown rounded tick in ns */
    return linux_anchored(first, last, first->ns + ns) - first->stamp + 1;
}

uint64_t linux_clock_stamp(uint64_t ns)
{
    return linux_recorder.clock == NULL
               ? ns
               : linux_anchored(&linux_recorder.first, &linux_recorder.last, ns);
}
