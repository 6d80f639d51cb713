/* Arithmetic with stamps for tests that must understand them on the target:
 * only outside the timed path, and never to change a sample. */
#ifndef RTGAUGE_TESTS_TICKS_H
#define RTGAUGE_TESTS_TICKS_H

#include "rtgauge/test.h"

/* The clock that this copy of the test was compiled for; the build sets the symbol. */
extern const struct rtg_clock RTG_CLOCK_SYMBOL;

static inline const struct rtg_clock *stamp_clock(const struct rtg_run *run)
{
    (void)run;
    return &RTG_CLOCK_SYMBOL;
}

/* Ticks from one stamp to a later one, less than a wrap of the counter apart. */
static inline rtg_stamp_t ticks_between(const struct rtg_clock *clock, rtg_stamp_t from,
                                        rtg_stamp_t to)
{
    rtg_stamp_t ticks = clock->direction < 0 ? from - to : to - from;
    if (clock->width < RTG_STAMP_BITS)
        ticks &= ((rtg_stamp_t)1 << clock->width) - 1;
    return ticks;
}

/* The stamps that lie `ticks` after and before `at`. */
static inline rtg_stamp_t stamp_after(const struct rtg_clock *clock, rtg_stamp_t at,
                                      rtg_stamp_t ticks)
{
    rtg_stamp_t stamp = clock->direction < 0 ? at - ticks : at + ticks;
    if (clock->width < RTG_STAMP_BITS)
        stamp &= ((rtg_stamp_t)1 << clock->width) - 1;
    return stamp;
}

static inline rtg_stamp_t stamp_before(const struct rtg_clock *clock, rtg_stamp_t at,
                                       rtg_stamp_t ticks)
{
    rtg_stamp_t stamp = clock->direction < 0 ? at + ticks : at - ticks;
    if (clock->width < RTG_STAMP_BITS)
        stamp &= ((rtg_stamp_t)1 << clock->width) - 1;
    return stamp;
}

/* How fast the stamp clock counts against the sleep clock: ticks in `ns`. */
struct tick_rate {
    uint64_t ticks;
    uint64_t ns;
};

/* Spins for 20 ms, long enough for a sleep clock that moves once per tick. */
static inline struct tick_rate measure_tick_rate(const struct rtg_clock *clock)
{
    rtg_stamp_t from = clock->read();
    uint64_t begin = rtg_os_now();
    rtg_spin(20000000);
    rtg_stamp_t to = clock->read();
    uint64_t end = rtg_os_now();
    struct tick_rate rate = {ticks_between(clock, from, to), end - begin};
    rate.ticks += rate.ticks == 0;
    rate.ns += rate.ns == 0;
    return rate;
}

static inline uint64_t ns_of_ticks(struct tick_rate rate, uint64_t ticks)
{
    return ticks / rate.ticks * rate.ns + ticks % rate.ticks * rate.ns / rate.ticks;
}

static inline uint64_t ticks_of_ns(struct tick_rate rate, uint64_t ns)
{
    return ns / rate.ns * rate.ticks + ns % rate.ns * rate.ticks / rate.ns;
}

#endif
