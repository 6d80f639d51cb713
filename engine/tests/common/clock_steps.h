/* clock_steps.h - whether clocks move in steps as fine as they state: part of CLK-B-CFG. */
#ifndef RTGAUGE_TESTS_CLOCK_STEPS_H
#define RTGAUGE_TESTS_CLOCK_STEPS_H

#include <string.h>

#include "os_tick.h"

struct steps {
    uint64_t smallest_ns; /* smallest non-zero step seen */
    uint64_t read_ns;     /* what one turn of the watching loop takes */
};

static inline struct steps watch_steps(uint64_t (*read)(void), uint64_t for_ns)
{
    struct steps steps = {.smallest_ns = 0};
    uint64_t turns = 0, last = read(), begin = rtg_os_now(), now = begin;
    while (now - begin < for_ns) {
        for (int i = 0; i < 100; i++, turns++) {
            uint64_t value = read();
            if (value > last && (steps.smallest_ns == 0 || value - last < steps.smallest_ns))
                steps.smallest_ns = value - last;
            last = value;
        }
        now = rtg_os_now();
    }
    steps.read_ns = (now - begin) / turns;
    return steps;
}

/* A step cannot be seen smaller than the time that a read takes. */
static inline bool steps_as_fine_as(const struct steps *steps, uint64_t stated_ns)
{
    uint64_t seen_by_reading = stated_ns > steps->read_ns ? stated_ns : steps->read_ns;
    return steps->smallest_ns != 0 && steps->smallest_ns <= 2 * seen_by_reading;
}

/* "clock_monotonic_step" of "CLOCK_MONOTONIC" and "_step". */
static inline void evidence_of(struct rtg_run *run, const char *clock, const char *what,
                               uint64_t ns)
{
    char name[64];
    size_t used = 0;
    for (; *clock != 0 && used < 40; clock++) {
        bool capital = *clock >= 'A' && *clock <= 'Z';
        name[used++] = (char)(capital ? *clock - 'A' + 'a' : *clock == '-' ? '_' : *clock);
    }
    memcpy(name + used, what, strlen(what) + 1);
    rtg_evidence(run, name, (int64_t)ns, "ns");
}

static inline uint64_t tick_as_clock(void)
{
    static uint64_t ticks, last;
    uint64_t value;
    rtg_os_tick(&value);
    ticks += value != last;
    last = value;
    return ticks * 1000000;
}

static inline void note_resolutions(struct rtg_run *run, const struct os_tick *tick)
{
    struct rtg_os_clock clock;
    bool all = true;
    uint64_t watch_ns = 20000000 > 4 * tick->period_ns ? 20000000 : 4 * tick->period_ns;
    for (uint32_t i = 0; rtg_os_clock(i, &clock) == RTG_OK; i++) {
        struct steps steps = watch_steps(clock.read, watch_ns);
        evidence_of(run, clock.name, "_stated", clock.resolution_ns);
        evidence_of(run, clock.name, "_step", steps.smallest_ns);
        all = all && steps_as_fine_as(&steps, clock.resolution_ns);
    }
    rtg_check(run, RTG_PROPERTY, "resolution", all,
              "no clock moves in steps larger than twice the resolution that it states");
    if (tick->period_ns == 0) {
        rtg_unchecked(run, "resolution-of-tick", "the system shows no tick");
        return;
    }
    struct steps coarse = watch_steps(tick_as_clock, watch_ns);
    rtg_check(run, RTG_CONTROL, "resolution-of-tick", steps_as_fine_as(&coarse, 1),
              "a clock that moves with the tick passes for one with a resolution of 1 ns");
}

#endif
