/* IRQ-B-NST: does the handler of a higher source interrupt that of a lower one? The other
 * way round is the negative control. */
#include "common/irq.h"

enum { LOWER, HIGHER, ROUNDS = 50, HOLD_NS = 50000, AFTER_NS = 20000, REST_NS = 400000 };

static struct irq_scene scene[2];

struct nesting {
    uint32_t rounds, nested;
    uint64_t least; /* ticks from due to entry of the handler that came in between */
};

/* `outer`'s handler lasts; `inner` is due within it. */
static bool play(struct rtg_run *run, unsigned outer, unsigned inner, struct nesting *n)
{
    rtg_stamp_t due[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint64_t at = 0;
        int error;
        do {
            at = irq_next_due(&scene[LOWER]);
            scene[outer].mark[i].due_ns = at;
            scene[inner].mark[i].due_ns = at + AFTER_NS;
            due[i] = rtg_stamp_at(run, at + AFTER_NS);
            error = rtg_irq_fire(scene[inner].index, at + AFTER_NS, 0);
            if (error == RTG_OK)
                error = rtg_irq_fire(scene[outer].index, at, HOLD_NS);
        } while (irq_again(&scene[LOWER], error));
        if (error != RTG_OK)
            rtg_broken(run, "an interrupt could not be asked for");
        scene[LOWER].fired += 2;
        rtg_sleep_until(at + REST_NS);
    }
    if (!irq_collect(&scene[LOWER], ROUNDS) || !irq_collect(&scene[HIGHER], ROUNDS))
        return false;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const struct rtg_irq_mark *out = &scene[outer].mark[i], *in = &scene[inner].mark[i];
        scene[LOWER].unmatched += (out->entry == 0) + (in->entry == 0);
        scene[LOWER].found += (out->entry != 0) + (in->entry != 0);
        scene[LOWER].twice += (out->times > 1) + (in->times > 1);
        if (out->entry == 0 || in->entry == 0)
            continue;
        n->rounds++;
        if (irq_past(scene[LOWER].clock, (rtg_stamp_t)out->entry, (rtg_stamp_t)in->entry) ||
            irq_past(scene[LOWER].clock, (rtg_stamp_t)in->exit, (rtg_stamp_t)out->exit))
            continue;
        uint64_t took = ticks_between(scene[LOWER].clock, due[i], (rtg_stamp_t)in->entry);
        n->least = n->nested++ == 0 || took < n->least ? took : n->least;
    }
    return true;
}

static enum rtg_outcome judge(struct rtg_run *run)
{
    struct nesting up = {0}, down = {0};
    struct tick_rate rate = measure_tick_rate(scene[LOWER].clock);
    irq_prepare(&scene[LOWER]);
    if (!play(run, LOWER, HIGHER, &up) || !play(run, HIGHER, LOWER, &down))
        return RTG_INVALID;
    enum rtg_outcome outcome = irq_tell(&scene[LOWER]);
    rtg_check(run, RTG_PROPERTY, "handled-once",
              scene[LOWER].unmatched == 0 && scene[LOWER].twice == 0,
              "each of two interrupts is handled once, also when the second comes while the "
              "handler of the first runs");
    rtg_check(run, RTG_REPORT, "nests", up.rounds > 0 && up.nested == up.rounds,
              "the handler of a higher source interrupts that of a lower one");
    rtg_check(run, RTG_CONTROL, "lower-interrupts-higher", down.nested > 0,
              "the handler of a lower source interrupts that of a higher one");
    rtg_evidence(run, "rounds", up.rounds, "");
    rtg_evidence(run, "nested", up.nested, "");
    if (up.nested > 0)
        rtg_evidence(run, "nested_latency_least_ns", (int64_t)ns_of_ticks(rate, up.least), "ns");
    return outcome;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_irq_source higher;
    uint32_t index;
    enum rtg_outcome outcome = irq_open(&scene[LOWER], run, IRQ_ONLY);
    if (outcome != RTG_DONE)
        return outcome;
    if (!irq_find(run, IRQ_SECOND, &index, &higher))
        outcome = rtg_reason(run, RTG_NOT_SUPPORTED, "there is only one such source");
    else if (!scene[LOWER].source.holds || !higher.holds)
        outcome = rtg_reason(run, RTG_NOT_SUPPORTED,
                             "a handler cannot be made to last until another interrupt comes");
    else if ((outcome = irq_open(&scene[HIGHER], run, IRQ_SECOND)) == RTG_DONE) {
        outcome = judge(run);
        rtg_irq_close(scene[HIGHER].index);
    }
    rtg_irq_close(scene[LOWER].index);
    return outcome;
}

RTG_TEST(.id = "IRQ-B-NST", .title = "Interrupt nesting",
         .question = "Does a higher interrupt interrupt the handler of a lower one?",
         .needs = RTG_NEEDS_REALTIME, .samples = {1, 1, 1}, .about_ms = 300,
         .params = {IRQ_PARAM_SOURCE}, .run = run_test);
