/* irq_thread.h - a HI thread that reads stamps while interrupts come: IRQ-P-LAT, IRQ-P-DLT. */
#ifndef RTGAUGE_TESTS_IRQ_THREAD_H
#define RTGAUGE_TESTS_IRQ_THREAD_H

#include "irq.h"

typedef void (*irq_sample_fn)(struct irq_scene *s, uint32_t i);

struct irq_reader {
    struct irq_scene scene;
    irq_sample_fn record;
};

static inline void irq_read_on(void *arg)
{
    struct irq_reader *me = arg;
    struct irq_scene *s = &me->scene;
    struct rtg_thread_state before;
    irq_prepare(s);
    rtg_per_iteration(s->run, s->batch);
    rtg_watch_begin(s->run, &before);
    for (uint32_t left = rtg_samples(s->run); left > 0 && rtg_next(s->run);) {
        uint32_t n = left < s->batch ? left : s->batch;
        rtg_breathe(s->run);
        for (uint32_t i = 0; i < n && !rtg_halted(s->run); i++)
            irq_catch(s, i, NULL, 0);
        left -= n;
        if (!irq_collect(s, n))
            break;
        for (uint32_t i = 0; i < n; i++) {
            if (irq_is_pure(s, i, s->seen[i].first))
                me->record(s, i);
        }
    }
    rtg_watch_end(s->run, &before);
}

/* The whole test; `record` adds the sample of one interrupt. */
static inline enum rtg_outcome irq_run_reader(struct rtg_run *run, irq_sample_fn record)
{
    static struct irq_reader me;
    struct rtg_thread thread;
    enum rtg_outcome outcome = irq_open(&me.scene, run, IRQ_ONLY);
    if (outcome != RTG_DONE)
        return outcome;
    me.record = record;
    if (!irq_has_level(&me.scene))
        outcome = rtg_reason(run, RTG_NOT_SUPPORTED, IRQ_OTHER_LEVEL);
    else if (!rtg_spawn(run, &thread, rtg_role_level(RTG_HI), irq_read_on, &me))
        outcome = rtg_unspawned(run);
    else {
        rtg_thread_join(&thread);
        outcome = irq_tell(&me.scene);
    }
    rtg_irq_close(me.scene.index);
    return outcome;
}

#endif
