/* os_tick.h - the period of the OS's clock tick, measured by watching the ticks
 * go by, never read from a header. */
#ifndef RTGAUGE_TESTS_OS_TICK_H
#define RTGAUGE_TESTS_OS_TICK_H

#include "rtgauge/test.h"

enum { OS_TICK_MOST = 64 };

struct os_tick {
    uint64_t period_ns;
    uint64_t least_ns; /* the shortest and the longest single interval seen */
    uint64_t most_ns;
    uint32_t watched;
    uint32_t steady; /* intervals within a tenth of the period */
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

/* Median time between ticks that are `apart` edges apart, each divided by the ticks
 * in it as `period` tells. */
static inline uint64_t period_over(const uint64_t *at, uint32_t edges, uint32_t apart,
                                   uint64_t period)
{
    uint64_t each[OS_TICK_MOST] = {0};
    uint32_t n = edges - apart;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t ns = at[i + apart] - at[i], ticks = (ns + period / 2) / period;
        each[i] = ticks != 0 ? (ns + ticks / 2) / ticks : ns;
    }
    return median_of(each, n);
}

/* From the times at which ticks were seen, three at least: the median distance of
 * neighbours says how many ticks are in a longer one, and so ever further, until
 * distances of half the stretch and more give the figure. So edges that were seen
 * late shift nothing while they are few, and one that was missed only makes a
 * distance longer. 0 when the clock did not move between most of them. */
static inline uint64_t period_of(const uint64_t *at, uint32_t edges)
{
    uint64_t far[OS_TICK_MOST] = {0}, period = period_over(at, edges, 1, UINT64_MAX);
    uint32_t apart = 2, n = 0;
    if (period == 0)
        return 0;
    for (; apart < edges / 2; apart *= 2)
        period = period_over(at, edges, apart, period);
    for (apart = edges / 2; apart < edges; apart++)
        far[n++] = period_over(at, edges, apart, period);
    return median_of(far, n);
}

/* Spins over `ticks` (up to OS_TICK_MOST) ticks, at most 0.8 s so that systems
 * that ration real-time threads do not step in. ENOSUP when the OS shows no tick,
 * ETIMEOUT when fewer than four came that the clock tells apart. */
static inline int watch_os_tick(struct os_tick *tick, uint32_t ticks)
{
    uint64_t at[OS_TICK_MOST + 1], value, last;
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
        at[edges++] = now;
        last = value;
    }
    uint64_t period = edges < 5 ? 0 : period_of(at, edges);
    if (period == 0)
        return RTG_ETIMEOUT;
    *tick = (struct os_tick){.period_ns = period, .least_ns = UINT64_MAX, .watched = edges - 1};
    for (uint32_t i = 0; i < edges - 1; i++) {
        uint64_t ns = at[i + 1] - at[i];
        tick->least_ns = ns < tick->least_ns ? ns : tick->least_ns;
        tick->most_ns = ns > tick->most_ns ? ns : tick->most_ns;
        tick->steady += ns + period / 10 >= period && ns <= period + period / 10;
    }
    return RTG_OK;
}

#endif
