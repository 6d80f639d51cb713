/*
 * accumulate.h - what is kept of samples that are not sent one by one (request:
 * accumulate): figures, extremes with their times, and a count for each value. All
 * memory is taken before the test, so a test may take any time.
 */
#ifndef RTGAUGE_ACCUMULATE_H
#define RTGAUGE_ACCUMULATE_H

#include "rtgauge/clock.h"
#include "rtgauge/test.h"

struct rtg_core;

enum { RTG_EXTREMES = 16, RTG_MOST_BINS = 1 << 24 };
#define RTG_CHECKPOINT_NS 45000000000ull /* at least once a minute, with turns of up to 15 s */

/* A sample that is kept with all that is known of it. */
struct rtg_extreme {
    int64_t value; /* raw: ticks, ns, or the value itself */
    rtg_stamp_t start;
    int64_t since; /* ticks from the first folded sample to its start */
    uint64_t index;
    uint16_t aux;
};

/* How often each value came: [0, bins * width) in bins of `width`, what lies outside as
 * it is while there is room, and then only counted. */
struct rtg_pile {
    uint64_t count; /* of all; below 2^32 */
    int64_t min, max;
    uint64_t sum_low; /* of the lower 32 bits of all values; the sum is high * 2^32 + low */
    int64_t sum_high; /* of the rest */
    uint64_t dropped_below, dropped_beyond;
    uint32_t kept;
    uint32_t *bin;
    int64_t *value;
};

/* How differences of stamps are to be understood. */
struct rtg_ruler {
    uint8_t width;
    int8_t direction;
};

struct rtg_accumulator {
    struct rtg_pile measured;
    struct rtg_pile entered;              /* values of skipped activations; periodic series only */
    struct rtg_extreme top[RTG_EXTREMES]; /* largest first, the earlier of equals first */
    struct rtg_extreme least;             /* the first of the smallest */
    uint32_t tops;
    uint32_t shift; /* a bin is 2^shift wide */
    struct rtg_ruler value_by, start_by;
    uint64_t first;          /* index of the first folded sample */
    rtg_stamp_t first_start; /* its start */
    bool after_pause;        /* it followed a pause */
    int64_t since;           /* of the sample folded last */
    int64_t lowest, highest; /* of all starts, of all ends */
    rtg_stamp_t last_start;
    int64_t last_length;
    uint64_t pauses, paused; /* between folded samples: number, ticks in all */
    uint64_t interval;       /* ns from due to due; 0: not periodic */
    uint64_t overruns,
        odd; /* activations skipped; due times not a multiple of the interval apart */
};

struct rtg_accumulate {
    bool on;
    uint32_t bins, beyond;        /* of each pile */
    uint32_t checkpoint;          /* number of the next */
    uint64_t due_ns;              /* when it is due */
    uint64_t raw[RTG_MAX_SERIES]; /* samples still to be sent as they are */
    struct rtg_accumulator *of;   /* one for each series */
    uint8_t *gather;              /* a frame's worth, to send from */
    void *memory;
    size_t bytes;
};

/* Around a test. Begin finds the memory; `on` tells whether samples will be folded. */
void rtg_accumulate_begin(struct rtg_core *core);
void rtg_accumulate_end(struct rtg_core *core);

/* Folds the samples of a buffer from position `from` on. */
void rtg_fold(struct rtg_core *core, uint32_t series, const struct rtg_buffer *b, uint32_t from);

/* Whether it is time to empty the buffers and to send what was accumulated. */
bool rtg_checkpoint_due(const struct rtg_core *core, uint64_t now);
void rtg_checkpoint(struct rtg_core *core); /* accumulate_records.c */

/* The signed distance of two stamps. */
int64_t rtg_distance(struct rtg_ruler by, rtg_stamp_t from, rtg_stamp_t to);
/* How the values of a series are measured. */
struct rtg_ruler rtg_ruler_of(const struct rtg_core *core, uint32_t series);
int64_t rtg_value_of(const struct rtg_core *core, uint32_t series, struct rtg_ruler by,
                     rtg_stamp_t start, rtg_stamp_t stop);

#endif
