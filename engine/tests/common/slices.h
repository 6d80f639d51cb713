/* Slices: how equal threads shared the CPU, found in the stretches in which each
 * of them ran. A slice lasts from a thread's first stretch to its last one before
 * a stretch of another thread; gaps within are nobody's and taken out. */
#ifndef RTGAUGE_TESTS_SLICES_H
#define RTGAUGE_TESTS_SLICES_H

#include "common/stretches.h"

enum { THREADS = 3, NOBODY = THREADS };
enum { SLICE, FIRST_SLICE, OUTSIDE }; /* series */

/* Times in ticks, of complete slices only. */
struct share_out {
    uint32_t slices, of[THREADS];
    uint64_t share[THREADS]; /* sums, without the first slices */
    uint64_t prior[THREADS]; /* the same without the last slice */
    uint64_t first[THREADS];
    uint64_t sum, later, longest;
    uint64_t outside;         /* in which no thread of the test ran */
    bool in_turn;             /* the threads followed each other in one fixed ring */
    uint32_t before[THREADS]; /* whose the last slices were */
};

/* `lost` ticks of the slice were nobody's. */
static inline void count_slice(struct share_out *out, struct rtg_run *record,
                               const struct rtg_clock *clock, uint32_t who, struct stretch slice,
                               rtg_stamp_t lost)
{
    uint64_t ticks = ticks_between(clock, slice.begin, slice.end) - lost;
    bool first = out->of[who]++ == 0;
    if (record != NULL)
        rtg_record(record, first ? FIRST_SLICE : SLICE, slice.begin,
                   stamp_before(clock, slice.end, lost), (uint16_t)who);
    if (first)
        out->first[who] = ticks;
    else
        out->later += ticks;
    uint32_t *three_ago = &out->before[out->slices % THREADS];
    if (out->slices++ >= THREADS && *three_ago != who)
        out->in_turn = false;
    *three_ago = who;
    out->longest = ticks > out->longest ? ticks : out->longest;
    out->prior[who] = out->share[who];
    out->share[who] += first ? 0 : ticks;
    out->sum += ticks;
}

/* Puts the stretches of THREADS logs in order of time. Gaps above `pause` ticks
 * are nobody's. The last slice is not complete and does not count. Records what it
 * finds when `record` is not NULL. */
static inline struct share_out look_back(struct rtg_run *record, struct stretch_log *logs,
                                         const struct rtg_clock *clock, rtg_stamp_t origin,
                                         rtg_stamp_t pause)
{
    struct share_out out = {.in_turn = true};
    struct stretch slice = {0}, more = {0};
    rtg_stamp_t lost = 0;
    uint32_t next, who = next_stretch(logs, THREADS, clock, origin, &slice);
    if (who == NOBODY)
        return out;
    while ((next = next_stretch(logs, THREADS, clock, slice.begin, &more)) != NOBODY) {
        rtg_stamp_t gap = ticks_between(clock, slice.end, more.begin);
        if (gap > pause) {
            out.outside += gap;
            if (record != NULL)
                rtg_record(record, OUTSIDE, slice.end, more.begin,
                           (uint16_t)(next == who ? who : NOBODY));
        }
        if (next == who) {
            lost += gap;
            slice.end = more.end;
            continue;
        }
        count_slice(&out, record, clock, who, slice, lost);
        who = next;
        slice = more;
        lost = 0;
    }
    return out;
}

static inline bool takes_turns(const struct share_out *out)
{
    return out->in_turn && out->of[0] >= 2 && out->of[1] >= 2 && out->of[2] >= 2;
}

/* Over whole rounds after the first, in which all have the same number of slices, each
 * gets a third of the time within `percent` of it. (Where slices end with the clock
 * tick, the first one is shorter by what has passed of it.) */
static inline bool shares_are_fair(const struct share_out *out, uint32_t percent)
{
    uint32_t rounds = out->of[0];
    uint64_t share[THREADS], third = 0;
    for (uint32_t i = 0; i < THREADS; i++)
        rounds = out->of[i] < rounds ? out->of[i] : rounds;
    for (uint32_t i = 0; i < THREADS; i++) {
        if (out->of[i] > rounds + 1)
            return false;
        share[i] = out->of[i] == rounds ? out->share[i] : out->prior[i];
        third += share[i] / THREADS;
    }
    bool fair = rounds > 1;
    for (uint32_t i = 0; i < THREADS; i++) {
        uint64_t off = share[i] > third ? share[i] - third : third - share[i];
        fair = fair && off * 100 <= third * percent;
    }
    return fair;
}

/* Average of the slices but the first ones, 0 when there are none. */
static inline uint64_t later_slice(const struct share_out *out)
{
    return out->slices > THREADS ? out->later / (out->slices - THREADS) : 0;
}

/* No first slice is longer than `percent` of the later ones. */
static inline bool first_slice_is_usual(const struct share_out *out, uint32_t percent)
{
    bool usual = takes_turns(out);
    for (uint32_t i = 0; i < THREADS; i++)
        usual = usual && out->first[i] * 100 <= later_slice(out) * percent;
    return usual;
}

#endif
