/* The memory of the series: laid out before a test, sent after it (or in
 * between, when it is full), and shared among threads that record together. */
#include <string.h>

#include "core.h"

enum {
    SLACK = 2048, /* samples beyond those wanted: a last turn may add several */
    RECORD_BYTES = 2 * sizeof(rtg_stamp_t) + sizeof(uint16_t),
    BLOCK_OVERHEAD = 96, /* keys and heads of a block record */
    MOST_BLOCK = 65535,
};

uint32_t rtg_lay_out(struct rtg_core *core)
{
    core->series = 0;
    while (core->series < RTG_MAX_SERIES && core->run.test->series[core->series].name != NULL)
        core->series++;
    if (core->series == 0)
        return 0;
    uint64_t room = core->memory_size / ((uint64_t)core->series * RECORD_BYTES);
    uint64_t wanted = (uint64_t)core->job->samples + SLACK;
    uint32_t capacity = (uint32_t)(room < wanted ? room : wanted) & ~(uint32_t)3; /* alignment */
    uint8_t *at = core->memory;
    for (uint32_t i = 0; i < core->series; i++) {
        struct rtg_buffer *b = &core->run.series[i];
        *b = (struct rtg_buffer){.capacity = capacity};
        b->start = (rtg_stamp_t *)(void *)at;
        b->stop = b->start + capacity;
        b->aux = (uint16_t *)(void *)(b->stop + capacity);
        at += (size_t)capacity * RECORD_BYTES;
    }
    return capacity;
}

static bool any(const uint16_t *aux, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (aux[i] != 0)
            return true;
    }
    return false;
}

static void put_block(struct rtg_core *core, uint32_t series, uint32_t from, uint32_t count)
{
    struct rtg_out *out = &core->out;
    const struct rtg_buffer *b = &core->run.series[series];
    bool aux = any(b->aux + from, count);
    rtg_record_begin(out, aux ? 7 : 6);
    rtg_put_text(out, "r");
    rtg_put_text(out, "block");
    rtg_put_text(out, "series");
    rtg_put_uint(out, series);
    rtg_put_text(out, "first");
    rtg_put_uint(out, core->drained[series] + from);
    rtg_put_text(out, "resumed");
    rtg_put_bool(out, core->resumed && from == 0);
    rtg_put_text(out, "start");
    rtg_put_typed(out, b->start + from, count, sizeof(rtg_stamp_t));
    rtg_put_text(out, "stop");
    rtg_put_typed(out, b->stop + from, count, sizeof(rtg_stamp_t));
    if (aux) {
        rtg_put_text(out, "aux");
        rtg_put_typed(out, b->aux + from, count, sizeof(uint16_t));
    }
    rtg_record_end(out);
}

/* How many of the samples in a series are sent as they are; the rest is folded. */
static uint32_t take_raw(struct rtg_core *core, uint32_t series)
{
    uint32_t count = core->run.series[series].count;
    if (!core->accumulate.on)
        return count;
    uint64_t *left = &core->accumulate.raw[series];
    uint32_t sent = *left < count ? (uint32_t)*left : count;
    *left -= sent;
    return sent;
}

void rtg_drain(struct rtg_core *core)
{
    uint32_t most = (RTG_FRAME_MAX - BLOCK_OVERHEAD) / RECORD_BYTES;
    rtg_events_note(core);
    most = most > MOST_BLOCK ? MOST_BLOCK : most;
    rtg_live_hold(core);
    for (uint32_t i = 0; i < core->series; i++) {
        struct rtg_buffer *b = &core->run.series[i];
        uint32_t raw = take_raw(core, i);
        rtg_live_take(core, b);
        for (uint32_t from = 0; from < raw; from += most)
            put_block(core, i, from, raw - from < most ? raw - from : most);
        if (raw < b->count)
            rtg_fold(core, i, b, raw);
        core->drained[i] += b->count;
        core->events.looked_at[i] = 0;
        b->count = 0;
    }
    rtg_live_let_go(core);
}

/* ---- recording by several threads --------------------------------------- */

void rtg_split(struct rtg_run *run, unsigned series, struct rtg_buffer *parts, uint32_t n)
{
    const struct rtg_buffer *whole = &run->series[series];
    uint32_t share = whole->capacity / n;
    rtg_make_room_mutex(rtg_core_of(run));
    for (uint32_t i = 0; i < n; i++) {
        size_t from = (size_t)i * share;
        parts[i] = (struct rtg_buffer){.start = whole->start + from,
                                       .stop = whole->stop + from,
                                       .aux = whole->aux + from,
                                       .capacity = share};
    }
}

void rtg_make_room_mutex(struct rtg_core *core)
{
    struct rtg_mutex_spec spec = {.kind = RTG_MUTEX, .protocol = RTG_INHERIT, .recursive = true};
    if (!core->has_room)
        core->has_room = rtg_mutex_create(&core->room, &spec) == RTG_OK;
}

/* As a part of the series: its room is not used while it is split. */
static void empty_part(struct rtg_core *core, unsigned series, struct rtg_buffer *part)
{
    struct rtg_buffer whole = core->run.series[series];
    core->run.series[series] = *part;
    rtg_drain(core);
    core->resumed = true;
    *part = core->run.series[series];
    core->run.series[series] = whole;
}

bool rtg_make_room(struct rtg_run *run, unsigned series, struct rtg_buffer *b, bool gap)
{
    struct rtg_core *core = rtg_core_of(run);
    bool due = core->accumulate.on && rtg_checkpoint_due(core, rtg_os_now());
    if (!core->has_room || b->count == 0 || (b->count < b->capacity && !due && !gap))
        return gap;
    rtg_mutex_lock(&core->room);
    atomic_fetch_add(&core->pauses, 1);
    empty_part(core, series, b);
    if (rtg_checkpoint_due(core, rtg_os_now()))
        rtg_checkpoint(core);
    atomic_fetch_add(&core->pauses, 1);
    rtg_mutex_unlock(&core->room);
    return true;
}

uint32_t rtg_pauses(const struct rtg_run *run)
{
    return atomic_load(&rtg_core_of(run)->pauses);
}

/* ---- recording by processes ---------------------------------------------- */

static size_t shared_size(uint32_t n)
{
    return sizeof(struct rtg_buffer) + (size_t)n * RECORD_BYTES;
}

struct rtg_buffer *rtg_shared_buffer(uint32_t n)
{
    size_t wanted = shared_size(n), bytes = wanted;
    struct rtg_buffer *shared = rtg_shared_get(&bytes);
    if (shared == NULL || bytes < wanted) {
        if (shared != NULL)
            rtg_shared_put(shared, bytes);
        return NULL;
    }
    shared->start = (rtg_stamp_t *)(void *)(shared + 1);
    shared->stop = shared->start + n;
    shared->aux = (uint16_t *)(void *)(shared->stop + n);
    shared->capacity = n;
    return shared;
}

void rtg_shared_take(struct rtg_run *run, unsigned series, struct rtg_buffer *shared)
{
    for (uint32_t i = 0; i < shared->count; i++)
        rtg_record(run, series, shared->start[i], shared->stop[i], shared->aux[i]);
    run->series[series].dropped += shared->dropped;
    shared->count = 0;
    shared->dropped = 0;
}

void rtg_shared_free(struct rtg_buffer *shared)
{
    rtg_shared_put(shared, shared_size(shared->capacity));
}

void rtg_merge(struct rtg_run *run, unsigned series, struct rtg_buffer *parts, uint32_t n)
{
    struct rtg_buffer *whole = &run->series[series];
    /* What was sent in pieces must not be joined: no sample follows the one before it. */
    for (uint32_t i = 0; i < n && rtg_core_of(run)->drained[series] != 0; i++)
        empty_part(rtg_core_of(run), series, &parts[i]);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t count = parts[i].count;
        memmove(whole->start + whole->count, parts[i].start, count * sizeof *whole->start);
        memmove(whole->stop + whole->count, parts[i].stop, count * sizeof *whole->stop);
        memmove(whole->aux + whole->count, parts[i].aux, count * sizeof *whole->aux);
        whole->count += count;
        whole->dropped += parts[i].dropped;
    }
}
