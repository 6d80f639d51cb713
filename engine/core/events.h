/*
 * events.h - the system's own events around the worst samples, and the sample at which a
 * test ends early (request: events, break_on_ns).
 */
#ifndef RTGAUGE_EVENTS_H
#define RTGAUGE_EVENTS_H

#include <stdatomic.h>

#include "rtgauge/clock.h"
#include "rtgauge/port.h"
#include "rtgauge/test.h"
#include "rtgauge/trace.h"

struct rtg_core;

/* The stamp clock and the sleep clock, read together. */
struct rtg_pair {
    rtg_stamp_t stamp;
    uint64_t ns;
    rtg_stamp_t width; /* ticks within which both were read */
};
struct rtg_pair rtg_read_pair(const struct rtg_clock *clock); /* calibrate.c */

enum { RTG_WORST = 10 };

struct rtg_worst {
    rtg_stamp_t ticks; /* that it took: the order */
    rtg_stamp_t start, stop;
    uint64_t index; /* on the target */
    uint16_t aux;
    bool sent;
};

/* Events of one sample, while they are read. */
struct rtg_window {
    struct rtg_worst *of;
    uint32_t series;
    uint64_t from, to, start, stop; /* stamps */
    int32_t cpu;
    bool everywhere; /* the events of all CPUs, not only of its own */
    uint64_t missed, lost;
};

struct rtg_events {
    bool open, wanted;
    const char *why;       /* not open although wanted */
    struct rtg_pair begin; /* of the test */
    uint64_t recorded, lost, windows_lost;
    uint64_t check_ns, cleared_ns; /* next look at the room; last time it was emptied */
    uint64_t cost_ns;              /* of tracing one wake-up and the switch back; 0 unknown */
    struct rtg_event *pool;
    size_t pool_bytes;
    uint32_t pooled;
    struct rtg_worst worst[RTG_MAX_SERIES][RTG_WORST]; /* worst first */
    uint32_t worsts[RTG_MAX_SERIES];
    struct rtg_window window[RTG_MAX_SERIES * RTG_WORST + 1];
    uint32_t windows;

    /* ending at a sample */
    rtg_stamp_t limit[RTG_MAX_SERIES]; /* ticks, or ns; 0: this series ends nothing */
    uint32_t looked_at[RTG_MAX_SERIES];
    atomic_bool broke;
    uint32_t break_series;
    rtg_stamp_t break_start, break_stop;
    uint64_t break_index;
    bool break_found;        /* its index is known */
    struct rtg_worst broken; /* the sample itself: worse ones may follow it in its turn */
    bool ended;              /* no further test is run */
};

/* Once, before the first test and after the last. */
void rtg_events_begin_run(struct rtg_core *core);
void rtg_events_end_run(struct rtg_core *core);
/* Around each test; the last is called when its samples were sent. */
void rtg_events_begin_test(struct rtg_core *core);
void rtg_events_freeze(struct rtg_core *core);
void rtg_events_end_test(struct rtg_core *core);
/* Looks at the samples that are about to be sent and forgotten (buffers.c). */
void rtg_events_note(struct rtg_core *core);
/* Between turns. The first sends the events before their room is full; the test has then
 * paused. */
bool rtg_events_due(const struct rtg_core *core);
void rtg_events_pause(struct rtg_core *core);
/* Sends what was kept around the worst samples so far (event_windows.c). */
void rtg_events_send(struct rtg_core *core);

/* break.c: a sample above the limit ends the test, and the run after it. */
void rtg_break_begin_test(struct rtg_core *core);
bool rtg_break_now(struct rtg_core *core); /* looks at the samples of the last turn */

#endif
