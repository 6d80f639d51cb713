/* The events around the worst samples: read from the system's record, put in order, sent. */
#include <string.h>

#include "rtgauge/scale.h"

#include "core.h"

enum {
    BEFORE_NS = 500000, /* kept before and after a sample ... */
    AFTER_NS = 100000,
    BREAK_BEFORE_NS = 2000000, /* ... and around the one that ends a test */
    BREAK_AFTER_NS = 500000,
    HEAD_BYTES = 320,  /* of a record without its events, at most */
    EVENT_BYTES = 112, /* of one event, at most */
};

/* ---- from the sleep clock to stamps ------------------------------------------- */

/* By the two readings of both clocks; beyond them at the same pace. */
static rtg_stamp_t stamp_between(const struct rtg_clock *clock, const struct rtg_pair *from,
                                 const struct rtg_pair *to, uint64_t ns)
{
    uint64_t ticks = rtg_ticks_between(clock, from->stamp, to->stamp), span = to->ns - from->ns;
    bool before = ns < from->ns;
    if (span == 0)
        return from->stamp;
    uint64_t off = rtg_scale(before ? from->ns - ns : ns - from->ns, ticks, span);
    bool add = (clock->direction > 0) != before;
    return (rtg_stamp_t)(add ? from->stamp + off : from->stamp - off);
}

rtg_stamp_t rtg_stamp_at(const struct rtg_run *run, uint64_t ns)
{
    const struct rtg_core *core = rtg_core_of(run);
    const struct rtg_clock *clock = rtg_clocks[core->clock.index];
#ifdef RTG_PORT_HAS_STAMP_AT
    if (core->clock.index == 0)
        return rtg_port_stamp_at(ns);
#endif
    struct rtg_pair now = rtg_read_pair(clock);
    return stamp_between(clock, &core->events.begin, &now, ns);
}

/* ---- which events belong to which window ---------------------------------------- */

static uint64_t ticks_in(const struct rtg_clock_facts *facts, uint64_t ns)
{
    return facts->rate_num / facts->rate_den / 1000 * ns / 1000000;
}

static int32_t cpu_of(const struct rtg_core *core, uint32_t series, const struct rtg_worst *one)
{
    return rtg_same(core->run.test->series[series].aux, "cpu") ? (int32_t)one->aux
                                                               : core->request.limits.cpu;
}

static void open_window(struct rtg_core *core, uint32_t series, struct rtg_worst *one,
                        const struct rtg_pair *now)
{
    struct rtg_events *e = &core->events;
    const struct rtg_clock *clock = rtg_clocks[core->clock.index];
    struct rtg_window *w = &e->window[e->windows++];
    *w = (struct rtg_window){.of = one,
                             .series = series,
                             .start = one->start,
                             .stop = one->stop,
                             .cpu = cpu_of(core, series, one)};
    if (core->run.test->series[series].source == RTG_BY_OS) {
        w->start = stamp_between(clock, &e->begin, now, one->start);
        w->stop = stamp_between(clock, &e->begin, now, one->stop);
    }
    w->everywhere = e->break_found && series == e->break_series && one->index == e->break_index;
    uint64_t before = ticks_in(&core->clock, w->everywhere ? BREAK_BEFORE_NS : BEFORE_NS);
    w->from = w->start > before ? w->start - before : 0;
    w->to = w->stop + ticks_in(&core->clock, w->everywhere ? BREAK_AFTER_NS : AFTER_NS);
}

/* The sample that ended the test has a window also where ten worse ones followed it before
 * the turn was over. */
static bool needs_its_own(const struct rtg_events *e)
{
    if (!e->break_found || e->broken.sent)
        return false;
    for (uint32_t k = 0; k < e->worsts[e->break_series]; k++)
        if (e->worst[e->break_series][k].index == e->break_index)
            return false;
    return true;
}

static void open_windows(struct rtg_core *core)
{
    struct rtg_events *e = &core->events;
    struct rtg_pair now = rtg_read_pair(rtg_clocks[core->clock.index]);
    e->windows = 0;
    for (uint32_t i = 0; i < core->series; i++)
        for (uint32_t k = 0; k < e->worsts[i]; k++)
            if (!e->worst[i][k].sent)
                open_window(core, i, &e->worst[i][k], &now);
    if (needs_its_own(e))
        open_window(core, e->break_series, &e->broken, &now);
}

/* On its own CPU everything; of the others, who wakes a thread there. */
static bool belongs(const struct rtg_window *w, const struct rtg_event *event)
{
    if (event->at < w->from || event->at > w->to)
        return false;
    return w->everywhere || (int32_t)event->cpu == w->cpu ||
           (event->kind == RTG_EVENT_WAKING && event->target == w->cpu);
}

struct collection {
    struct rtg_events *e;
    uint64_t lost; /* on this CPU, before its oldest event */
    bool begun;
};

/* What the kernel lost is older than what it kept. */
static void take_loss(struct collection *c, const struct rtg_event *oldest)
{
    struct rtg_events *e = c->e;
    for (uint32_t i = 0; i < e->windows && c->lost != 0; i++) {
        if ((int32_t)oldest->cpu == e->window[i].cpu && oldest->at > e->window[i].from)
            e->window[i].lost = c->lost;
    }
    c->begun = true;
}

static bool collect(void *to, const struct rtg_event *event)
{
    struct collection *c = to;
    struct rtg_events *e = c->e;
    bool room = (e->pooled + 1) * sizeof *e->pool <= e->pool_bytes, wanted = false;
    if (!c->begun)
        take_loss(c, event);
    for (uint32_t i = 0; i < e->windows; i++) {
        bool ours = belongs(&e->window[i], event);
        wanted = wanted || ours;
        e->window[i].missed += ours && !room;
    }
    if (wanted && room)
        e->pool[e->pooled++] = *event;
    return true;
}

/* By their times; those of one CPU are in order already. Shell's method. */
static void put_in_order(struct rtg_event *event, uint32_t n)
{
    uint32_t gap = 1;
    while (gap < n / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < n; i++) {
            struct rtg_event one = event[i];
            uint32_t at = i;
            for (; at >= gap && event[at - gap].at > one.at; at -= gap)
                event[at] = event[at - gap];
            event[at] = one;
        }
}

/* ---- sending --------------------------------------------------------------------- */

static const char *const kinds[RTG_EVENT_KINDS] = {
    "switch",       "waking",       "irq-entry",   "irq-exit",  "softirq-entry",
    "softirq-exit", "vector-entry", "vector-exit", "timer-due", "timer-exit",
    "noise",        "place",        "irqs-off",    "irqs-on"};

static void put_event(struct rtg_out *out, const struct rtg_event *event)
{
    rtg_put_array(out, 9);
    rtg_put_uint(out, event->at);
    rtg_put_uint(out, event->cpu);
    rtg_put_text(out, kinds[event->kind]);
    rtg_put_int(out, event->id);
    rtg_put_int(out, event->other);
    rtg_put_int(out, event->level);
    rtg_put_text(out, event->name);
    rtg_put_text(out, event->state);
    rtg_put_uint(out, event->due_ns);
}

static void pair(struct rtg_out *out, const char *key, uint64_t value)
{
    rtg_put_text(out, key);
    rtg_put_uint(out, value);
}

static void begin_part(struct rtg_out *out, const struct rtg_window *w, uint32_t part,
                       uint32_t parts, uint32_t events)
{
    rtg_record_begin(out, 13);
    rtg_put_text(out, "r");
    rtg_put_text(out, "events");
    pair(out, "series", w->series);
    pair(out, "index", w->of->index);
    pair(out, "part", part);
    pair(out, "parts", parts);
    pair(out, "from", w->from);
    pair(out, "to", w->to);
    pair(out, "start", w->start);
    pair(out, "stop", w->stop);
    rtg_put_text(out, "cpu");
    rtg_put_int(out, w->cpu);
    pair(out, "missed", w->missed);
    pair(out, "lost_by_kernel", w->lost);
    rtg_put_text(out, "list");
    rtg_put_array(out, events);
}

static void send_window(struct rtg_core *core, struct rtg_window *w)
{
    enum { MOST = (RTG_FRAME_MAX - HEAD_BYTES) / EVENT_BYTES };
    struct rtg_events *e = &core->events;
    uint32_t n = 0, left, at = 0;
    for (uint32_t i = 0; i < e->pooled; i++)
        n += belongs(w, &e->pool[i]);
    w->of->sent = true;
    if (n == 0 && w->lost != 0) { /* all of it was overwritten */
        e->windows_lost++;
        return;
    }
    uint32_t parts = n == 0 ? 1 : (n + MOST - 1) / MOST;
    for (uint32_t part = 0; part < parts; part++, n -= left) {
        left = n < MOST ? n : MOST;
        begin_part(&core->out, w, part, parts, left);
        for (uint32_t put = 0; put < left; at++) {
            if (!belongs(w, &e->pool[at]))
                continue;
            put_event(&core->out, &e->pool[at]);
            put++;
        }
        rtg_record_end(&core->out);
    }
}

void rtg_events_send(struct rtg_core *core)
{
    struct rtg_events *e = &core->events;
    struct rtg_events_count count;
    open_windows(core);
    e->pooled = 0;
    for (uint32_t i = 0; i < rtg_cpu_count() && e->windows > 0; i++) {
        int32_t cpu = (int32_t)rtg_cpu_at(i);
        if (rtg_events_count(cpu, &count) != RTG_OK)
            continue;
        struct collection c = {.e = e, .lost = count.lost};
        rtg_events_read(cpu, collect, &c);
    }
    put_in_order(e->pool, e->pooled);
    for (uint32_t i = 0; i < e->windows; i++)
        send_window(core, &e->window[i]);
}
