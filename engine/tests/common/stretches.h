/* When threads ran, by their own stamps: each thread notes stretches of time in
 * which it had the CPU; put together they show who had it when. */
#ifndef RTGAUGE_TESTS_STRETCHES_H
#define RTGAUGE_TESTS_STRETCHES_H

#include "common/ticks.h"

struct stretch {
    rtg_stamp_t begin, end;
};

/* The stretches of one thread. */
struct stretch_log {
    struct stretch *at;
    uint32_t room, count;
    uint32_t read; /* how many next_stretch has given out */
};

/* Notes that the thread runs at `now`. A distance above `pause` ticks from its
 * last stamp begins a new stretch. False when there is no room for one. */
static inline bool note_running(struct stretch_log *log, const struct rtg_clock *clock,
                                rtg_stamp_t now, rtg_stamp_t pause)
{
    if (log->count > 0 && ticks_between(clock, log->at[log->count - 1].end, now) <= pause) {
        log->at[log->count - 1].end = now;
        return true;
    }
    if (log->count == log->room)
        return false;
    log->at[log->count++] = (struct stretch){now, now};
    return true;
}

/* Takes the stretch that begins next after `origin`, of all logs; returns whose
 * it is, n at the end. */
static inline uint32_t next_stretch(struct stretch_log *logs, uint32_t n,
                                    const struct rtg_clock *clock, rtg_stamp_t origin,
                                    struct stretch *next)
{
    uint32_t best = n;
    rtg_stamp_t least = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (logs[i].read == logs[i].count)
            continue;
        rtg_stamp_t since = ticks_between(clock, origin, logs[i].at[logs[i].read].begin);
        if (best == n || since < least) {
            best = i;
            least = since;
        }
    }
    if (best < n)
        *next = logs[best].at[logs[best].read++];
    return best;
}

#endif
