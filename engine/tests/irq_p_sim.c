/* IRQ-P-SIM: two interrupts that are due at the same time, or one together with the tick. */
#include "common/irq.h"

enum { FIRST, SECOND, EDGES = 4 };

static struct irq_scene first, second;

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

/* The time of a tick that is far enough ahead, from one that was seen to come. */
static uint64_t some_tick(const struct irq_scene *s)
{
    uint64_t before = 0, now = 0;
    rtg_os_tick(&before);
    uint64_t at = rtg_os_now(), limit = at + EDGES * s->tick_ns;
    do {
        at = rtg_os_now();
        rtg_os_tick(&now);
    } while (now == before && at < limit);
    return at + s->tick_ns;
}

static void fire_both(uint32_t i, bool tick)
{
    uint64_t due = tick ? some_tick(&first) : irq_next_due(&first);
    first.mark[i].due_ns = second.mark[i].due_ns = due;
    first.seen[i].due = rtg_stamp_at(first.run, due);
    first.fired++;
    if (rtg_irq_fire(first.index, due, 0) != RTG_OK ||
        (!tick && rtg_irq_fire(second.index, due, 0) != RTG_OK))
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
    if (tick)
        rtg_unchecked(run, "second", "the handler of the tick leaves no marks");
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
                     "what is due at the same time: the clock tick, or a second source"}},
         .series = {{"first", "ns", "the time at which both were due",
                     "first thing in the handler of the first source", "the handler", "",
                     RTG_BY_STAMP, ""},
                    {"second", "ns", "the time at which both were due",
                     "first thing in the handler of the second source", "the handler", "",
                     RTG_BY_STAMP, ""}},
         .run = run_test);
