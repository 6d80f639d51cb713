/* Compiled once for each clock: its cost and its step, seen through the same
 * inline stamps that the tests use. */
#include RTG_CLOCK_HEADER

#include "core.h"

enum { ROUNDS = 4000 };

extern const struct rtg_clock RTG_CLOCK_SYMBOL;
extern const rtg_probe_fn RTG_PROBE_SYMBOL;

/* The smaller one of `step` and the difference of two distances, unless that is 0. */
static rtg_stamp_t smaller_step(rtg_stamp_t step, rtg_stamp_t a, rtg_stamp_t b)
{
    rtg_stamp_t difference = a > b ? a - b : b - a;
    return difference != 0 && difference < step ? difference : step;
}

static void probe(rtg_stamp_t *overhead, rtg_stamp_t *resolution)
{
    rtg_stamp_t least = (rtg_stamp_t)-1, step = (rtg_stamp_t)-1, last = 0, before = 0;
    for (int i = 0; i < ROUNDS; i++) {
        rtg_stamp_t start = rtg_stamp_start();
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_stamp_t cost = rtg_ticks_between(&RTG_CLOCK_SYMBOL, start, stop);
        if (cost < least)
            least = cost;
        /* A counter that moves in steps of k shows distances that are multiples
         * of k: the smallest non-zero difference of two distances is the step. */
        if (i > 0)
            step = smaller_step(step, cost, last);
        /* A clock in step with this loop may move between two turns only. */
        if (i > 0)
            step = smaller_step(step, rtg_ticks_between(&RTG_CLOCK_SYMBOL, before, start), cost);
        last = cost;
        before = stop;
    }
    *overhead = least;
    *resolution = step == (rtg_stamp_t)-1 ? (least != 0 ? least : 1) : step;
}

const rtg_probe_fn RTG_PROBE_SYMBOL = probe;
