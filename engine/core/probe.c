/* Compiled once for each clock: its cost and its step, seen through the same
 * inline stamps that the tests use. */
#include RTG_CLOCK_HEADER

#include "core.h"

enum { ROUNDS = 4000 };

extern const struct rtg_clock RTG_CLOCK_SYMBOL;
extern const rtg_probe_fn RTG_PROBE_SYMBOL;

static void probe(rtg_stamp_t *overhead, rtg_stamp_t *resolution)
{
    rtg_stamp_t least = (rtg_stamp_t)-1, step = (rtg_stamp_t)-1, last = 0;
    for (int i = 0; i < ROUNDS; i++) {
        rtg_stamp_t start = rtg_stamp_start();
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_stamp_t cost = rtg_ticks_between(&RTG_CLOCK_SYMBOL, start, stop);
        if (cost < least)
            least = cost;
        /* A counter that moves in steps of k shows distances that are multiples
         * of k: the smallest non-zero difference of two distances is the step. */
        rtg_stamp_t difference = cost > last ? cost - last : last - cost;
        if (i > 0 && difference != 0 && difference < step)
            step = difference;
        last = cost;
    }
    *overhead = least;
    *resolution = step == (rtg_stamp_t)-1 ? (least != 0 ? least : 1) : step;
}

const rtg_probe_fn RTG_PROBE_SYMBOL = probe;
