/* When the system's events are recorded, and which samples they are wanted around. */
#include "events.h"

#include <string.h>

#include "core.h"

enum {
    FIRST_LOOK_NS = 100000000,
    LEAST_LOOK_NS = 50000000,
    MOST_LOOK_S = 30,
    ROUNDS = 300,       /* of the wake-up by which the cost of recording is found */
    POOL_EVENTS = 16384 /* kept from one reading of the record */
};

/* ---- what recording costs -------------------------------------------------- */

struct bounce {
    struct rtg_sem sem;
    atomic_bool over;
};

static void answer(void *arg)
{
    struct bounce *bounce = arg;
    while (rtg_sem_acquire(&bounce->sem) == RTG_OK && !atomic_load(&bounce->over))
        ;
}

static rtg_stamp_t least_bounce(const struct rtg_clock *clock, struct bounce *bounce)
{
    rtg_stamp_t least = (rtg_stamp_t)-1;
    for (int i = 0; i < ROUNDS; i++) {
        rtg_stamp_t from = clock->read();
        rtg_sem_release(&bounce->sem);
        rtg_stamp_t ticks = rtg_ticks_between(clock, from, clock->read());
        least = ticks < least ? ticks : least;
    }
    return least;
}

static uint64_t ns_of(const struct rtg_clock_facts *facts, uint64_t ticks)
{
    uint64_t rate = facts->rate_num / facts->rate_den;
    return rate == 0 || ticks > UINT32_MAX ? 0 : ticks * 1000000000u / rate;
}

/* By a wake-up of a higher thread that goes back to sleep at once, on this CPU: ns, 0
 * where that cannot be seen. */
static uint64_t measure_cost(const struct rtg_core *core)
{
    uint64_t cost = 0;
    const struct rtg_clock *clock = rtg_clocks[core->clock.index];
    struct bounce bounce;
    struct rtg_thread thread;
    struct rtg_thread_spec spec = {.entry = answer,
                                   .arg = &bounce,
                                   .policy = RTG_FIFO,
                                   .level = rtg_role_level(RTG_TOP),
                                   .cpu = core->request.limits.cpu};
    atomic_init(&bounce.over, false);
    if (rtg_sem_create(&bounce.sem, RTG_COUNTING, RTG_UNNAMED, 0) != RTG_OK)
        return 0;
    if (rtg_thread_create(&thread, &spec) == RTG_OK) {
        rtg_stamp_t before = least_bounce(clock, &bounce);
        rtg_events_record(true);
        rtg_stamp_t with = least_bounce(clock, &bounce);
        rtg_events_record(false);
        rtg_stamp_t after = least_bounce(clock, &bounce);
        rtg_stamp_t without = before < after ? before : after;
        cost = with > without ? ns_of(&core->clock, with - without) : 0;
        atomic_store(&bounce.over, true);
        rtg_sem_release(&bounce.sem);
        rtg_thread_join(&thread);
    }
    rtg_sem_destroy(&bounce.sem);
    return cost;
}

void rtg_evidence_tracing(struct rtg_run *run)
{
    const struct rtg_core *core = rtg_core_of(run);
    if (core->events.open || rtg_events_record(false) != RTG_OK)
        return;
    rtg_self_level(run, rtg_role_level(RTG_HI));
    uint64_t cost = measure_cost(core);
    rtg_self_level(run, rtg_role_level(RTG_TOP));
    if (cost != 0)
        rtg_evidence(run, "tracing_cost_ns", (int64_t)cost, "ns");
}

/* ---- around the run and each test ------------------------------------------- */

void rtg_events_begin_run(struct rtg_core *core)
{
    struct rtg_events *e = &core->events;
    e->wanted = core->request.events || core->request.break_on_ns != 0;
    if (!e->wanted)
        return;
    e->pool_bytes = POOL_EVENTS * sizeof *e->pool;
    e->pool = rtg_scratch_get(&e->pool_bytes);
    e->why = "there is no memory for events";
    if (e->pool == NULL)
        return;
    e->open = rtg_events_open(rtg_clocks[core->clock.index], &e->why) == RTG_OK;
    if (e->open)
        e->cost_ns = measure_cost(core);
}

void rtg_events_end_run(struct rtg_core *core)
{
    struct rtg_events *e = &core->events;
    if (e->open)
        rtg_events_close();
    if (e->pool != NULL)
        rtg_scratch_put(e->pool, e->pool_bytes);
    e->open = false;
    e->pool = NULL;
}

static void start_afresh(struct rtg_events *e)
{
    rtg_events_clear();
    e->cleared_ns = rtg_os_now();
    rtg_events_record(true);
}

void rtg_events_begin_test(struct rtg_core *core)
{
    struct rtg_events *e = &core->events;
    e->begin = rtg_read_pair(rtg_clocks[core->clock.index]);
    e->recorded = e->lost = e->windows_lost = 0;
    memset(e->worsts, 0, sizeof e->worsts);
    rtg_break_begin_test(core);
    if (!e->open)
        return;
    start_afresh(e);
    e->check_ns = e->cleared_ns + FIRST_LOOK_NS;
}

void rtg_events_freeze(struct rtg_core *core)
{
    if (core->events.open)
        rtg_events_record(false);
}

/* Counts what was recorded since the room was emptied; returns the bytes of the fullest
 * CPU's. */
static uint64_t take_counts(struct rtg_events *e)
{
    struct rtg_events_count count;
    uint64_t most = 0;
    for (uint32_t i = 0; i < rtg_cpu_count(); i++) {
        if (rtg_events_count((int32_t)rtg_cpu_at(i), &count) != RTG_OK)
            continue;
        e->recorded += count.kept + count.lost;
        e->lost += count.lost;
        most = count.bytes > most ? count.bytes : most;
    }
    return most;
}

static void tell(struct rtg_core *core)
{
    struct rtg_events *e = &core->events;
    struct rtg_events_facts facts;
    struct rtg_run *run = &core->run;
    if (atomic_load(&e->broke) && e->break_found && !e->ended) {
        rtg_evidence(run, "break_on_sample", (int64_t)e->break_index, "");
        rtg_evidence(run, "break_on_ns", (int64_t)core->request.break_on_ns, "ns");
        if (run->test->series[e->break_series].name[0] != 0)
            rtg_evidence_text(run, "break_on_series", run->test->series[e->break_series].name);
    }
    if (!e->open) {
        rtg_evidence_text(run, "events_unavailable", e->why);
        return;
    }
    rtg_events_facts(&facts);
    rtg_evidence(run, "events_recorded", (int64_t)e->recorded, "");
    rtg_evidence(run, "events_lost", (int64_t)e->lost, "");
    rtg_evidence(run, "events_room", (int64_t)facts.bytes, "B");
    rtg_evidence(run, "windows_lost", (int64_t)e->windows_lost, "");
    if (facts.resolution_ns != 0)
        rtg_evidence(run, "events_resolution", (int64_t)facts.resolution_ns, "ns");
    if (facts.missing[0] != 0)
        rtg_evidence_text(run, "events_missing", facts.missing);
    if (e->cost_ns != 0)
        rtg_evidence(run, "tracing_cost_ns", (int64_t)e->cost_ns, "ns");
}

void rtg_events_end_test(struct rtg_core *core)
{
    struct rtg_events *e = &core->events;
    if (!e->wanted || e->ended || (e->open && e->cleared_ns == 0))
        return;
    if (e->open) {
        take_counts(e);
        rtg_events_send(core);
        e->cleared_ns = 0;
    }
    tell(core);
    e->ended = atomic_load(&e->broke);
}

/* ---- between turns ------------------------------------------------------------ */

bool rtg_events_due(const struct rtg_core *core)
{
    return core->events.open && rtg_os_now() >= core->events.check_ns;
}

/* By the pace so far, when the fullest room will be somewhat more than half full. */
static uint64_t next_look(const struct rtg_events *e, uint64_t now, uint64_t used)
{
    struct rtg_events_facts facts = {.bytes = 0};
    uint64_t ns = now - e->cleared_ns, most = MOST_LOOK_S * 1000000000ull;
    rtg_events_facts(&facts);
    uint64_t wanted = facts.bytes * 6 / 10 / 1024;
    ns = used / 1024 == 0 ? most : ns / (used / 1024 + 1) * wanted;
    return ns < LEAST_LOOK_NS ? LEAST_LOOK_NS : ns > most ? most : ns;
}

void rtg_events_pause(struct rtg_core *core)
{
    struct rtg_events *e = &core->events;
    bool look = rtg_events_due(core);
    uint64_t begin = rtg_os_now();
    if (look)
        rtg_events_record(false);
    rtg_drain(core);
    rtg_put_progress(core);
    core->resumed = true;
    if (!look)
        return;
    uint64_t ahead = next_look(e, begin, take_counts(e));
    rtg_events_send(core);
    start_afresh(e);
    e->check_ns = e->cleared_ns + ahead;
    core->deadline_ns += e->cleared_ns - begin;
}

/* ---- the worst samples ---------------------------------------------------------- */

static void insert(struct rtg_events *e, uint32_t series, struct rtg_worst one)
{
    struct rtg_worst *list = e->worst[series];
    uint32_t n = e->worsts[series], at = n;
    if (n == RTG_WORST && one.ticks <= list[n - 1].ticks)
        return;
    if (n == RTG_WORST)
        at--;
    else
        e->worsts[series]++;
    for (; at > 0 && list[at - 1].ticks < one.ticks; at--)
        list[at] = list[at - 1];
    list[at] = one;
}

static void note_break(struct rtg_core *core, uint32_t series, uint32_t at)
{
    struct rtg_events *e = &core->events;
    const struct rtg_buffer *b = &core->run.series[series];
    if (series != e->break_series || b->start[at] != e->break_start || b->stop[at] != e->break_stop)
        return;
    e->break_index = core->drained[series] + at;
    e->broken = (struct rtg_worst){
        .start = b->start[at], .stop = b->stop[at], .index = e->break_index, .aux = b->aux[at]};
    e->break_found = true;
}

static void note_series(struct rtg_core *core, uint32_t series, bool by_os)
{
    struct rtg_events *e = &core->events;
    const struct rtg_clock *clock = rtg_clocks[core->clock.index];
    const struct rtg_buffer *b = &core->run.series[series];
    bool broke = atomic_load(&e->broke);
    for (uint32_t i = 0; i < b->count; i++) {
        rtg_stamp_t ticks =
            by_os ? b->stop[i] - b->start[i] : rtg_ticks_between(clock, b->start[i], b->stop[i]);
        if (broke)
            note_break(core, series, i);
        if (ticks >> (RTG_STAMP_BITS - 1) == 0) /* a stop before its start explains nothing */
            insert(e, series,
                   (struct rtg_worst){.ticks = ticks,
                                      .start = b->start[i],
                                      .stop = b->stop[i],
                                      .index = core->drained[series] + i,
                                      .aux = b->aux[i]});
    }
}

void rtg_events_note(struct rtg_core *core)
{
    if (!core->events.wanted || core->events.ended)
        return;
    for (uint32_t i = 0; i < core->series; i++) {
        enum rtg_stamp_source source = core->run.test->series[i].source;
        if (source == RTG_BY_STAMP || source == RTG_BY_OS)
            note_series(core, i, source == RTG_BY_OS);
    }
}
