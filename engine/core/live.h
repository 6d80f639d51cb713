/*
 * live.h - figures of a test while it samples (request: live). A thread of the normal
 * class, on another CPU where there is one, looks into the buffers a few times a second.
 * The measured threads do nothing for it.
 */
#ifndef RTGAUGE_LIVE_H
#define RTGAUGE_LIVE_H

#include <stdatomic.h>

#include "accumulate.h"
#include "rtgauge/port.h"
#include "rtgauge/test.h"

struct rtg_core;

#ifndef RTG_LIVE_LINES
#define RTG_LIVE_LINES 70 /* buffers that are looked into; a port may define fewer */
#endif
enum { RTG_LIVE_BINS = 257 }; /* four for each doubling; the first: zero and below */

/* What one buffer has brought so far. */
struct rtg_live_line {
    const struct rtg_buffer *buffer; /* NULL: no line */
    uint32_t series;
    struct rtg_ruler by;
    uint32_t seen; /* of the samples that are in the buffer */
    uint32_t upto; /* samples that were there at the last look */
    uint64_t n;
    int64_t min, max, sum, last;
    uint16_t aux; /* of the last */
};

struct rtg_live {
    bool on;
    atomic_bool over;
    struct rtg_thread thread;
    struct rtg_sem end;
    struct rtg_live_line line[RTG_LIVE_LINES];
    uint32_t bin[RTG_MAX_SERIES][RTG_LIVE_BINS];
    uint64_t told[RTG_MAX_SERIES]; /* samples in the last record */
};

/* Around a test. */
void rtg_live_begin(struct rtg_core *core);
void rtg_live_end(struct rtg_core *core);

/* While these hold it, nobody else looks into buffers or writes the trace. */
void rtg_live_hold(struct rtg_core *core);
void rtg_live_let_go(struct rtg_core *core);
/* Takes what is in a buffer that is about to be emptied; while held. */
void rtg_live_take(struct rtg_core *core, const struct rtg_buffer *b);

#endif
