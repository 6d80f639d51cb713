/* irq.h - interrupts that a test asks for, one after the other, while a thread reads
 * stamps without pause. What the handlers did is asked for afterwards, and put together
 * with the pause that the thread saw.
 *
 * A sample counts only when nothing else came between its stamps. */
#ifndef RTGAUGE_TESTS_IRQ_H
#define RTGAUGE_TESTS_IRQ_H

#include <stdatomic.h>
#include <string.h>

#include "os_tick.h"
#include "ticks.h"

enum {
    IRQ_STEP_NS = 211007,    /* from one interrupt to the next, at least: prime ... */
    IRQ_DITHER_NS = 65536,   /* ... plus up to this */
    IRQ_LATE_MOST = 10000,   /* askings of a run that may come too late: no more are made */
    IRQ_LATEST_NS = 5000000, /* an interrupt that has not come by then never will */
    IRQ_PHASES = 64,         /* parts of the tick's period that are told apart */
    IRQ_TURNS = 65536,       /* of the reading loop, after which the sleep clock is looked at */
    IRQ_TICKS = 8,           /* watched to find that period */
};

/* The pause of the thread around one interrupt, and what was woken by it. */
struct irq_seen {
    rtg_stamp_t last, first; /* stamps before and after it; both 0: none was seen */
    rtg_stamp_t due;
    rtg_stamp_t woken; /* TLT only: first stamp of the thread that was released */
};

struct irq_scene {
    struct rtg_run *run;
    const struct rtg_clock *clock;
    uint32_t index, batch;
    struct rtg_irq_source source;
    rtg_stamp_t pause, latest; /* ticks: more than the reading itself takes; to be added to a
                                * stamp: IRQ_LATEST_NS */
    uint64_t dither;           /* state of the generator */
    uint64_t phases, tick_ns;  /* bit p: phase p was visited */
    struct rtg_irq_mark mark[RTG_IRQ_BATCH];
    struct irq_seen seen[RTG_IRQ_BATCH];
    uint64_t fired, found, unmatched, twice, mixed, lost;
    uint64_t late; /* times at which the system kept the thread that asks beyond the due time */
};

#define IRQ_PARAM_SOURCE                                                                           \
    {"source", RTG_CHOICE, "timer", "timer hpet counter hrtimer",                                  \
     "what makes the interrupt: the OS's timer, or a source of the kernel module"}
#define IRQ_PARAM_LEVEL                                                                            \
    {"level", RTG_CHOICE, "primary", "primary threaded", "where its handler runs"}

enum irq_which { IRQ_ONLY, IRQ_SECOND };

/* Whether `name` is that of the source which the parameters ask for, or of its second. */
static inline bool irq_is_named(const struct rtg_run *run, const char *name, enum irq_which which)
{
    char first[24];
    size_t length = strlen(name);
    if (which == IRQ_ONLY)
        return rtg_is(run, "source", name);
    if (length < 3 || length >= sizeof first || strcmp(name + length - 2, "-2") != 0)
        return false;
    memcpy(first, name, length - 2);
    first[length - 2] = 0;
    return rtg_is(run, "source", first);
}

/* False where the system has no such source. */
static inline bool irq_find(const struct rtg_run *run, enum irq_which which, uint32_t *index,
                            struct rtg_irq_source *source)
{
    for (*index = 0; rtg_irq_source(*index, source) == RTG_OK; ++*index) {
        if (irq_is_named(run, source->name, which))
            return true;
    }
    return false;
}

/* RTG_DONE, or how the test ends. */
static inline enum rtg_outcome irq_open(struct irq_scene *s, struct rtg_run *run,
                                        enum irq_which which)
{
    const char *why = NULL;
    *s = (struct irq_scene){.run = run,
                            .clock = stamp_clock(run),
                            .batch = RTG_IRQ_BATCH,
                            .dither = 88172645463325252u};
    if (!irq_find(run, which, &s->index, &s->source))
        return rtg_reason(run, RTG_NOT_SUPPORTED, "this system has no such source of interrupts");
    int error = rtg_irq_open(s->index, s->clock, &why);
    if (error == RTG_OK)
        return RTG_DONE;
    return rtg_reason(run,
                      error == RTG_EPERM    ? RTG_NOT_PERMITTED
                      : error == RTG_ENOSUP ? RTG_NOT_SUPPORTED
                                            : RTG_INVALID,
                      why);
}

/* Whether the source's handler is at the level that the parameters ask for. */
static inline bool irq_has_level(const struct irq_scene *s)
{
    return !rtg_is(s->run, "level", s->source.threaded ? "primary" : "threaded");
}
#define IRQ_OTHER_LEVEL "the handler of this source does not run at this level"

/* How long the reading loop's own turns take, and how long a tick's period is. */
static inline void irq_prepare(struct irq_scene *s)
{
    struct tick_rate rate = measure_tick_rate(s->clock);
    struct os_tick tick = {.period_ns = 0};
    rtg_stamp_t least = (rtg_stamp_t)-1, last = rtg_stamp_start();
    for (int i = 0; i < 1000; i++) {
        rtg_stamp_t now = rtg_stamp_start(), turn = ticks_between(s->clock, last, now);
        least = turn < least ? turn : least;
        last = now;
    }
    s->pause = 8 * least + 8;
    s->latest = stamp_after(s->clock, 0, (rtg_stamp_t)ticks_of_ns(rate, IRQ_LATEST_NS));
    if (watch_os_tick(&tick, IRQ_TICKS) == RTG_OK)
        s->tick_ns = tick.period_ns;
}

/* The next due time, `ahead_ns` from now at least. */
static inline uint64_t irq_next_due(struct irq_scene *s)
{
    s->dither ^= s->dither << 13;
    s->dither ^= s->dither >> 7;
    s->dither ^= s->dither << 17;
    uint64_t due = rtg_os_now() + IRQ_STEP_NS + s->dither % IRQ_DITHER_NS;
    if (s->tick_ns != 0)
        s->phases |= (uint64_t)1 << due % s->tick_ns * IRQ_PHASES / s->tick_ns;
    return due;
}

static inline bool irq_past(const struct rtg_clock *clock, rtg_stamp_t now, rtg_stamp_t due)
{
    return ticks_between(clock, due, now) >> (clock->width - 1) == 0;
}

/* Whether the asking came too late, so that another due time has to be asked for. */
static inline bool irq_again(struct irq_scene *s, int error)
{
    return error == RTG_ETIMEOUT && s->late++ < IRQ_LATE_MOST;
}

/* Asks for one interrupt and reads stamps until it has come: until the thread's first
 * pause that ends after the due time, or `ended` says so. False: it did not come. */
static inline bool irq_catch(struct irq_scene *s, uint32_t i, const atomic_uint *ended,
                             uint32_t round)
{
    struct irq_seen *seen = &s->seen[i];
    const struct rtg_clock *clock = s->clock;
    uint64_t due = 0;
    int error;
    do {
        due = irq_next_due(s);
        *seen = (struct irq_seen){.due = rtg_stamp_at(s->run, due)};
        s->mark[i].due_ns = due;
        error = rtg_irq_fire(s->index, due, 0);
    } while (irq_again(s, error));
    if (error != RTG_OK) {
        rtg_broken(s->run, "an interrupt could not be asked for");
        return false;
    }
    s->fired++;
    rtg_stamp_t last = rtg_stamp_start();
    for (uint32_t turn = 1;; turn++) {
        rtg_stamp_t now = rtg_stamp_start();
        if (ticks_between(clock, last, now) > s->pause) {
            seen->last = last;
            seen->first = now;
            if (ended == NULL ? irq_past(clock, now, seen->due)
                              : atomic_load_explicit(ended, memory_order_relaxed) == round)
                return true;
        }
        if (irq_past(clock, now, seen->due + s->latest))
            return false;
        if (turn % IRQ_TURNS == 0 && rtg_os_now() > due + 2 * (uint64_t)IRQ_LATEST_NS) {
            rtg_broken(s->run, "the stamp clock does not keep step with the sleep clock");
            return false;
        }
        last = now;
    }
}

/* Whether what the thread saw holds this interrupt and nothing else up to `end`. */
static inline bool irq_is_pure(struct irq_scene *s, uint32_t i, rtg_stamp_t end)
{
    const struct rtg_irq_mark *mark = &s->mark[i];
    const struct irq_seen *seen = &s->seen[i];
    if (mark->entry == 0 || mark->exit == 0) {
        s->unmatched++;
        return false;
    }
    s->found++;
    if (mark->times > 1) {
        s->twice++;
        return false;
    }
    bool inside = (seen->last != 0 || seen->first != 0) &&
                  irq_past(s->clock, (rtg_stamp_t)mark->entry, seen->last) &&
                  irq_past(s->clock, end, (rtg_stamp_t)mark->exit);
    bool nothing_before =
        mark->before == 0 || irq_past(s->clock, seen->last, (rtg_stamp_t)mark->before);
    bool nothing_after = mark->after == 0 || irq_past(s->clock, (rtg_stamp_t)mark->after, end);
    if (inside && mark->alone && nothing_before && nothing_after)
        return true;
    s->mixed++;
    return false;
}

/* What became of the first `n` of the batch; false when the system does not tell. */
static inline bool irq_collect(struct irq_scene *s, uint32_t n)
{
    uint64_t lost = 0;
    if (rtg_irq_marks(s->index, s->mark, n, &lost) != RTG_OK) {
        rtg_broken(s->run, "the system did not tell what its handlers did");
        return false;
    }
    s->lost += lost;
    return true;
}

static inline void irq_tell_late(struct irq_scene *s)
{
    if (s->late != 0)
        rtg_evidence(s->run, "interrupts_asked_for_too_late", (int64_t)s->late, "");
}

/* Evidence of all this, and whether a number may come of it. */
static inline enum rtg_outcome irq_tell(struct irq_scene *s)
{
    struct rtg_run *run = s->run;
    uint32_t phases = 0;
    for (int i = 0; i < IRQ_PHASES; i++)
        phases += s->phases >> i & 1;
    rtg_evidence_text(run, "source", s->source.name);
    rtg_evidence_text(run, "marks", s->source.marks);
    rtg_evidence_tracing(run);
    rtg_evidence(run, "interrupts_fired", (int64_t)s->fired, "");
    irq_tell_late(s);
    rtg_evidence(run, "interrupts_found", (int64_t)s->found, "");
    rtg_evidence(run, "interrupts_unmatched", (int64_t)s->unmatched, "");
    rtg_evidence(run, "interrupts_handled_twice", (int64_t)s->twice, "");
    if (s->source.tells_others)
        rtg_evidence(run, "interrupts_mixed_with_others", (int64_t)s->mixed, "");
    else
        rtg_evidence_text(run, "other_interrupts",
                          "not told apart: a sample holds them where they came in between");
    rtg_evidence(run, "marks_lost", (int64_t)s->lost, "");
    if (s->tick_ns != 0) {
        rtg_evidence(run, "tick_ns", (int64_t)s->tick_ns, "ns");
        rtg_evidence(run, "tick_phases_visited", phases, "");
        rtg_evidence(run, "tick_phases_told_apart", IRQ_PHASES, "");
    }
    if (s->twice != 0)
        return rtg_reason(run, RTG_INVALID, "an interrupt was handled more than once");
    if (s->unmatched != 0 && s->lost == 0)
        return rtg_reason(run, RTG_INVALID, "an interrupt that was asked for did not come");
    return RTG_DONE;
}

#endif
