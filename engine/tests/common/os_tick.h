/* os_tick.h - the period of the OS's clock tick, measured by watching the ticks
 * go by, never read from a header. */
#ifndef RTGAUGE_TESTS_OS_TICK_H
#define RTGAUGE_TESTS_OS_TICK_H

#include "rtgauge/test.h"

enum { OS_TICK_MOST = 64 };

struct os_tick {
    uint64_t period_ns; /* mean over all that were watched */
    uint64_t least_ns;  /* the shortest and the longest single interval seen */
    uint64_t most_ns;
    uint32_t watched;
    uint32_t steady; /* intervals within a tenth of the median */
};

static inline uint64_t median_of(uint64_t *values, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        uint64_t value = values[i];
        uint32_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
    return values[n / 2];
}

/* Spins over `ticks` (up to OS_TICK_MOST) ticks, at most 0.8 s so that systems
 * that ration real-time threads do not step in. ENOSUP when the OS shows no tick,
 * ETIMEOUT when fewer than four came. */
static inline int watch_os_tick(struct os_tick *tick, uint32_t ticks)
{
    uint64_t interval[OS_TICK_MOST], first = 0, at = 0, value, last;
    int error = rtg_os_tick(&last);
    if (error != RTG_OK)
        return error;
    uint32_t edges = 0;
    uint64_t now = rtg_os_now(), end = now + 800000000u;
    while (edges <= ticks && now < end) {
        rtg_os_tick(&value);
        now = rtg_os_now();
        if (value == last)
            continue;
        if (edges == 0)
            first = now;
        else
            interval[edges - 1] = now - at;
        at = now;
        last = value;
        edges++;
    }
    if (edges < 5)
        return RTG_ETIMEOUT;
    /* An interval of two ticks is one whose edge was missed: the median tells
     * the period, and so how many ticks the whole stretch had. */
    uint64_t median = median_of(interval, edges - 1);
    uint64_t whole = (at - first + median / 2) / median;
    *tick = (struct os_tick){.period_ns = (at - first) / whole,
                             .least_ns = interval[0],
                             .most_ns = interval[edges - 2],
                             .watched = edges - 1};
    for (uint32_t i = 0; i < edges - 1; i++)
        tick->steady += interval[i] + median / 10 >= median && interval[i] <= median + median / 10;
    return RTG_OK;
}

#endif
