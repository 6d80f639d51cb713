/* IRQ-P-SIM: two interrupts that are due at the same time, or one together with the tick.
 *
 * What is due exactly with the tick is handled before it or after it, and never meets the stretch
 * in which the tick's handler keeps others out. So the due times are spread evenly around the tick,
 * over twice the time in which a tick comes and goes as seen by a loop that reads the clock: the
 * handler's part of that, less than half, is the share of samples that fall into it. */
#include "common/irq.h"

enum {
    FIRST,
    SECOND,
    EDGES = 4,        /* ticks after which one must have come */
    WATCHED = 9,      /* ticks, for the time that one takes */
    SWEEP_PHASES = 32 /* of the spread that are told apart */
};

/* Readings of the sleep clock between which a tick came, and ended. */
struct edge {
    uint64_t before, after;
};

static struct irq_scene first, second;
static uint64_t window_ns; /* from one to the other */
static uint64_t swept;     /* bit p: phase p of the spread was visited */

static const char *impossible(const struct rtg_run *run)
{
    struct rtg_irq_source other;
    uint32_t index;
    if (!rtg_is(run, "other", "tick"))
        return irq_find(run, IRQ_SECOND, &index, &other) ? NULL : "there is only one such source";
    if (first.source.shares_tick)
        return "what is due together with the tick is handled by one interrupt here";
    return first.tick_ns == 0 ? "this system shows no tick" : NULL;
}

/* A tick between the last reading of the clock and that of the tick is seen in the next turn. */
static struct edge next_edge(const struct irq_scene *s)
{
    uint64_t was = 0, tick = 0;
    rtg_os_tick(&was);
    uint64_t now = rtg_os_now(), last = now, limit = now + EDGES * s->tick_ns;
    struct edge edge;
    do {
        edge.before = last;
        last = now;
        rtg_os_tick(&tick);
        now = rtg_os_now();
    } while (tick == was && now < limit);
    edge.after = now;
    return edge;
}

static void measure_window(const struct irq_scene *s)
{
    uint64_t each[WATCHED], most = s->tick_ns / 4;
    for (int i = 0; i < WATCHED; i++) {
        struct edge edge = next_edge(s);
        each[i] = edge.after - edge.before;
    }
    window_ns = median_of(each, WATCHED);
    window_ns = window_ns < most ? window_ns : most;
    swept = 0;
}

/* A time around the next tick but one: multiples of the golden section lie evenly, however many. */
static uint64_t around_tick(const struct irq_scene *s)
{
    uint32_t part = (uint32_t)s->fired * 2654435769u;
    struct edge edge = next_edge(s);
    for (int i = 0; i < EDGES && edge.after - edge.before > s->tick_ns / 2; i++)
        edge = next_edge(s); /* something took so long that the next tick has come or is near */
    swept |= (uint64_t)1 << ((uint64_t)part * SWEEP_PHASES >> 32);
    return edge.before + s->tick_ns - window_ns / 2 + (2 * window_ns * part >> 32);
}

static void tell_sweep(struct rtg_run *run)
{
    uint32_t phases = 0;
    for (int i = 0; i < SWEEP_PHASES; i++)
        phases += swept >> i & 1;
    rtg_evidence(run, "tick_takes_at_most", (int64_t)window_ns, "ns");
    rtg_evidence(run, "due_times_spread_over", 2 * (int64_t)window_ns, "ns");
    rtg_evidence(run, "spread_phases_visited", phases, "");
    rtg_evidence(run, "spread_phases_told_apart", SWEEP_PHASES, "");
}

static void fire_both(uint32_t i, bool tick)
{
    uint64_t due = 0;
    int error;
    do {
        due = tick ? around_tick(&first) : irq_next_due(&first);
        first.mark[i].due_ns = second.mark[i].due_ns = due;
        first.seen[i].due = rtg_stamp_at(first.run, due);
        error = rtg_irq_fire(first.index, due, 0);
        if (error == RTG_OK && !tick)
            error = rtg_irq_fire(second.index, due, 0);
    } while (irq_again(&first, error));
    first.fired++;
    if (error != RTG_OK)
        rtg_broken(first.run, "an interrupt could not be asked for");
    rtg_sleep_until(due + IRQ_STEP_NS);
}

static void take(struct irq_scene *s, uint32_t i, unsigned series)
{
    if (s->mark[i].entry == 0)
        s->unmatched++;
    else if (s->mark[i].times > 1)
        s->twice++;
    else {
        s->found++;
        rtg_record(s->run, series, first.seen[i].due, (rtg_stamp_t)s->mark[i].entry, 0);
    }
}

static enum rtg_outcome play(struct rtg_run *run, bool tick)
{
    rtg_per_iteration(run, RTG_IRQ_BATCH);
    if (tick)
        measure_window(&first);
    for (uint32_t left = rtg_samples(run); left > 0 && rtg_next(run);) {
        uint32_t n = left < RTG_IRQ_BATCH ? left : RTG_IRQ_BATCH;
        for (uint32_t i = 0; i < n; i++)
            fire_both(i, tick);
        left -= n;
        if (!irq_collect(&first, n) || (!tick && !irq_collect(&second, n)))
            break;
        for (uint32_t i = 0; i < n; i++) {
            take(&first, i, FIRST);
            if (!tick)
                take(&second, i, SECOND);
        }
    }
    if (tick) {
        tell_sweep(run);
        rtg_unchecked(run, "second", "the handler of the tick leaves no marks");
    }
    first.unmatched += second.unmatched;
    first.twice += second.twice;
    return irq_tell(&first);
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    bool tick = rtg_is(run, "other", "tick");
    enum rtg_outcome outcome = irq_open(&first, run, IRQ_ONLY);
    if (outcome != RTG_DONE)
        return outcome;
    irq_prepare(&first);
    const char *why = impossible(run);
    if (why != NULL)
        outcome = rtg_reason(run, RTG_NOT_SUPPORTED, why);
    else if (tick || (outcome = irq_open(&second, run, IRQ_SECOND)) == RTG_DONE) {
        outcome = play(run, tick);
        if (!tick)
            rtg_irq_close(second.index);
    }
    rtg_irq_close(first.index);
    return outcome;
}

RTG_TEST(.id = "IRQ-P-SIM", .title = "Two interrupts at once",
         .question = "How late do the handlers of two interrupts begin that are due together?",
         .needs = RTG_NEEDS_REALTIME, .samples = {250, 2500, 25000}, .about_ns = 600000,
         .about_ms = 300,
         .params = {IRQ_PARAM_SOURCE,
                    {"other", RTG_CHOICE, "tick second", "tick second",
                     "what is due at the same time: the clock tick, around which the due times are "
                     "spread, or a second source"}},
         .series = {{"first", "ns", "the time at which it was due",
                     "first thing in the handler of the first source", "the handler", "",
                     RTG_BY_STAMP, ""},
                    {"second", "ns", "the time at which both were due",
                     "first thing in the handler of the second source", "the handler", "",
                     RTG_BY_STAMP, ""}},
         .run = run_test);
