/*
 * Virtual time, and how it passes. Nothing moves it but the calls below.
 */
#ifndef RTGAUGE_FAKE_TIME_H
#define RTGAUGE_FAKE_TIME_H

#include <stdint.h>

#include "costs.h"
#include "faults.h"

#define FAKE_NEVER UINT64_MAX

extern uint64_t fake_now;        /* ns of the sleep clock and of the stamp clock */
extern uint64_t fake_next_event; /* the next instant at which anything is due */

/* The running thread computes for `ns`. Ticks and expiries that fall due add
 * their own time; a thread that they make ready pre-empts a lower one. */
void fake_compute_across_events(uint64_t ns);

static inline void fake_compute(uint64_t ns)
{
    if (fake_now + ns < fake_next_event)
        fake_now += ns;
    else
        fake_compute_across_events(ns);
}

/* The same with interrupts off: nothing is delivered before fake_settle. */
static inline void fake_compute_masked(uint64_t ns)
{
    fake_now += ns;
}

/* What the stamp clock shows now. */
uint64_t fake_wrong_stamp(void); /* with a fault of the clock */
static inline uint64_t fake_stamp(void)
{
    return fake_fault == FAKE_CORRECT ? fake_now : fake_wrong_stamp();
}

/* In place of the core's: the same work, in virtual time. */
void rtg_work(uint32_t rounds);

#endif
