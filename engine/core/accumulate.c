/* Folding samples into figures, in constant memory. Never between stamps. */
#include <string.h>

#include "core.h"

enum {
    BINS = 1 << 19, /* for each series, where the request does not say */
    BEYOND = 1 << 16,
    FEWEST_BINS = 16,
    FEW = 1000, /* one value of so many may lie beyond the bins when their width is chosen */
    WIDEST = 40,
};

/* ---- memory -------------------------------------------------------------- */

static bool periodic(const struct rtg_core *core, uint32_t series)
{
    const struct rtg_series *info = &core->run.test->series[series];
    return info->source == RTG_BY_OS && strstr(info->analyse, "periodic") != NULL &&
           rtg_number(&core->run, "interval") != 0;
}

static size_t bytes_of(const struct rtg_core *core)
{
    const struct rtg_accumulate *a = &core->accumulate;
    size_t each = (size_t)a->beyond * sizeof(int64_t) + (size_t)a->bins * sizeof(uint32_t);
    size_t all = core->series * sizeof *a->of + RTG_FRAME_MAX;
    for (uint32_t i = 0; i < core->series; i++)
        all += each * (periodic(core, i) ? 2 : 1);
    return all;
}

/* Fewer bins where memory is short. */
static bool find_memory(struct rtg_core *core)
{
    struct rtg_accumulate *a = &core->accumulate;
    while (a->bins >= FEWEST_BINS) {
        size_t wanted = bytes_of(core);
        a->bytes = wanted;
        a->memory = rtg_scratch_get(&a->bytes);
        if (a->memory != NULL && a->bytes >= wanted)
            return true;
        if (a->memory != NULL)
            rtg_scratch_put(a->memory, a->bytes);
        a->memory = NULL;
        a->bins = a->bins / 4 * 2; /* even: what follows stays aligned */
        a->beyond /= 2;
    }
    return false;
}

static uint8_t *lay_out(const struct rtg_accumulate *a, struct rtg_pile *pile, uint8_t *at)
{
    pile->value = (int64_t *)(void *)at;
    at += (size_t)a->beyond * sizeof(int64_t);
    pile->bin = (uint32_t *)(void *)at;
    return at + (size_t)a->bins * sizeof(uint32_t);
}

void rtg_accumulate_begin(struct rtg_core *core)
{
    struct rtg_accumulate *a = &core->accumulate;
    const struct rtg_request *request = &core->request;
    *a = (struct rtg_accumulate){.bins = (request->bins == 0 ? BINS : request->bins + 1) & ~1u,
                                 .beyond = request->bins == 0 ? BEYOND : request->beyond,
                                 .due_ns = rtg_os_now() + RTG_CHECKPOINT_NS};
    if (!request->accumulate || core->series == 0 || core->job->samples <= request->raw)
        return;
    if (!find_memory(core))
        return;
    memset(a->memory, 0, a->bytes);
    a->on = true;
    a->of = a->memory;
    uint8_t *at = (uint8_t *)(a->of + core->series);
    for (uint32_t i = 0; i < core->series; i++) {
        struct rtg_accumulator *one = &a->of[i];
        const struct rtg_clock *clock = rtg_clocks[core->clock.index];
        bool by_os = core->run.test->series[i].source == RTG_BY_OS;
        a->raw[i] = request->raw;
        one->value_by = rtg_ruler_of(core, i);
        one->start_by = by_os ? one->value_by : (struct rtg_ruler){clock->width, clock->direction};
        at = lay_out(a, &one->measured, at);
        if (periodic(core, i)) {
            one->interval = rtg_number(&core->run, "interval");
            at = lay_out(a, &one->entered, at);
        }
    }
    a->gather = at;
}

void rtg_accumulate_end(struct rtg_core *core)
{
    if (core->accumulate.memory != NULL)
        rtg_scratch_put(core->accumulate.memory, core->accumulate.bytes);
    core->accumulate.memory = NULL;
    core->accumulate.on = false;
}

/* ---- values --------------------------------------------------------------- */

int64_t rtg_distance(struct rtg_ruler by, rtg_stamp_t from, rtg_stamp_t to)
{
    uint64_t mask = UINT64_MAX >> (64 - by.width);
    uint64_t forward = (uint64_t)(by.direction < 0 ? from - to : to - from) & mask;
    if (forward >> (by.width - 1) == 0)
        return (int64_t)forward;
    return -(int64_t)(mask - forward) - 1;
}

struct rtg_ruler rtg_ruler_of(const struct rtg_core *core, uint32_t series)
{
    const struct rtg_clock *clock = rtg_clocks[core->clock.index];
    if (core->run.test->series[series].source == RTG_BY_STAMP)
        return (struct rtg_ruler){clock->width, clock->direction};
    return (struct rtg_ruler){RTG_STAMP_BITS, 1};
}

int64_t rtg_value_of(const struct rtg_core *core, uint32_t series, struct rtg_ruler by,
                     rtg_stamp_t start, rtg_stamp_t stop)
{
    if (core->run.test->series[series].source != RTG_BY_VALUE)
        return rtg_distance(by, start, stop);
    uint64_t value = stop; /* 32 bits are unsigned, as the host reads them */
    return value >> 63 == 0 ? (int64_t)value : -(int64_t)(UINT64_MAX - value) - 1;
}

static void keep_beyond(struct rtg_pile *pile, uint32_t room, int64_t value)
{
    if (pile->kept < room)
        pile->value[pile->kept++] = value;
    else if (value < 0)
        pile->dropped_below++;
    else
        pile->dropped_beyond++;
}

static void add(struct rtg_pile *pile, const struct rtg_accumulate *a, uint32_t shift,
                int64_t value)
{
    if (pile->count == 0 || value < pile->min)
        pile->min = value;
    if (pile->count == 0 || value > pile->max)
        pile->max = value;
    pile->count++;
    uint32_t low = (uint32_t)((uint64_t)value & UINT32_MAX);
    pile->sum_low += low;
    pile->sum_high += (value - (int64_t)low) / ((int64_t)UINT32_MAX + 1);
    if (value >= 0 && (uint64_t)value >> shift < a->bins)
        pile->bin[(uint64_t)value >> shift]++;
    else
        keep_beyond(pile, a->beyond, value);
}

static void keep_top(struct rtg_accumulator *one, const struct rtg_extreme *sample)
{
    uint32_t at = one->tops < RTG_EXTREMES ? one->tops++ : RTG_EXTREMES - 1;
    for (; at > 0 && one->top[at - 1].value < sample->value; at--)
        one->top[at] = one->top[at - 1];
    one->top[at] = *sample;
}

/* ---- folding -------------------------------------------------------------- */

/* The least width with which nearly all values of the buffer find a bin. */
static uint32_t width_for(const struct rtg_core *core, uint32_t series,
                          const struct rtg_accumulator *one, const struct rtg_buffer *b)
{
    uint32_t shift = 0;
    for (;; shift++) {
        uint32_t beyond = 0;
        for (uint32_t i = 0; i < b->count; i++) {
            int64_t value = rtg_value_of(core, series, one->value_by, b->start[i], b->stop[i]);
            beyond += value >= 0 && (uint64_t)value >> shift >= core->accumulate.bins;
        }
        if (beyond <= b->count / FEW || shift == WIDEST)
            return shift;
    }
}

static void begin_folding(struct rtg_core *core, uint32_t series, const struct rtg_buffer *b,
                          uint32_t from)
{
    struct rtg_accumulator *one = &core->accumulate.of[series];
    one->shift = width_for(core, series, one, b);
    one->first = core->drained[series] + from;
    one->first_start = b->start[from];
    one->last_start = b->start[from];
    one->after_pause = core->resumed && from == 0;
}

/* What lies between the last folded sample and the first of this buffer. */
static void note_pause(struct rtg_accumulator *one, rtg_stamp_t start)
{
    int64_t gap = rtg_distance(one->start_by, one->last_start, start) - one->last_length;
    one->pauses++;
    one->paused += gap > 0 ? (uint64_t)gap : 0;
}

/* Activations that a late thread skipped: the next due time tells how many, the wake-up
 * tells of those that were due by then; see samples.py. */
static void fold_skipped(struct rtg_core *core, struct rtg_accumulator *one, int64_t late,
                         int64_t step)
{
    int64_t interval = (int64_t)one->interval, due = late > 0 ? late / interval : 0;
    int64_t skipped = due;
    if (step > 0 && step % interval != 0)
        one->odd++;
    else if (step > 0)
        skipped = step / interval - 1;
    one->overruns += (uint64_t)skipped;
    for (int64_t i = 1; i <= due && i <= skipped; i++)
        add(&one->entered, &core->accumulate, one->shift, late - i * interval);
}

void rtg_fold(struct rtg_core *core, uint32_t series, const struct rtg_buffer *b, uint32_t from)
{
    struct rtg_accumulator *one = &core->accumulate.of[series];
    struct rtg_pile *pile = &one->measured;
    bool by_value = core->run.test->series[series].source == RTG_BY_VALUE;
    if (from >= b->count)
        return;
    if (pile->count == 0)
        begin_folding(core, series, b, from);
    else
        note_pause(one, b->start[from]);
    for (uint32_t i = from; i < b->count; i++) {
        rtg_stamp_t start = b->start[i];
        int64_t value = rtg_value_of(core, series, one->value_by, start, b->stop[i]);
        int64_t length = by_value || value < 0 ? 0 : value;
        one->since += rtg_distance(one->start_by, one->last_start, start);
        one->last_start = start;
        one->last_length = length;
        one->lowest = one->since < one->lowest ? one->since : one->lowest;
        one->highest = one->since + length > one->highest ? one->since + length : one->highest;
        struct rtg_extreme sample = {value, start, one->since, core->drained[series] + i,
                                     b->aux[i]};
        if (pile->count == 0 || value < pile->min)
            one->least = sample;
        if (one->tops < RTG_EXTREMES || value > one->top[RTG_EXTREMES - 1].value)
            keep_top(one, &sample);
        add(pile, &core->accumulate, one->shift, value);
        if (one->interval != 0)
            fold_skipped(core, one, value,
                         i + 1 < b->count ? rtg_distance(one->start_by, start, b->start[i + 1])
                                          : 0);
    }
}

bool rtg_checkpoint_due(const struct rtg_core *core, uint64_t now)
{
    return core->accumulate.on && now >= core->accumulate.due_ns;
}
