/* IRQ-P-LAT: a HI thread reads stamps without pause; an interrupt comes. */
#include "common/irq_thread.h"

static void from_thread(struct irq_scene *s, uint32_t i)
{
    rtg_record(s->run, 0, s->seen[i].last, (rtg_stamp_t)s->mark[i].entry, 0);
}

static void from_due(struct irq_scene *s, uint32_t i)
{
    rtg_record(s->run, 0, s->seen[i].due, (rtg_stamp_t)s->mark[i].entry, 0);
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    return irq_run_reader(run, rtg_is(run, "from", "due") ? from_due : from_thread);
}

RTG_TEST(.id = "IRQ-P-LAT", .title = "Interrupt latency",
         .question = "How long does it take from an interrupt, or from the last that the "
                     "interrupted thread did, to its handler?",
         .needs = RTG_NEEDS_REALTIME, .samples = {500, 5000, 100000}, .about_ns = 320000,
         .about_ms = 300,
         .params = {IRQ_PARAM_SOURCE,
                    {"from", RTG_CHOICE, "thread due", "thread due",
                     "the thread's last stamp, or the time at which the interrupt was due"},
                    IRQ_PARAM_LEVEL},
         .series = {{"", "ns", "the last stamp of the interrupted thread, or the due time",
                     "first thing in the handler, as its marks tell", "a HI thread, the handler",
                     "", RTG_BY_STAMP, "extremes"}},
         .run = run_test);
