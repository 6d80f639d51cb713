/* IRQ-P-DLT: the way back from a handler to the thread that it interrupted. */
#include "common/irq_thread.h"

static void to_thread(struct irq_scene *s, uint32_t i)
{
    rtg_record(s->run, 0, (rtg_stamp_t)s->mark[i].exit, s->seen[i].first, 0);
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    return irq_run_reader(run, to_thread);
}

RTG_TEST(.id = "IRQ-P-DLT", .title = "Dispatch latency",
         .question = "How long does it take from the end of an interrupt's handler until the "
                     "interrupted thread goes on?",
         .needs = RTG_NEEDS_REALTIME, .samples = {500, 5000, 100000}, .about_ns = 320000,
         .about_ms = 300, .params = {IRQ_PARAM_SOURCE, IRQ_PARAM_LEVEL},
         .series = {{"", "ns", "the end of the handler, as its marks tell",
                     "the first stamp of the interrupted thread", "the handler, a HI thread", "",
                     RTG_BY_STAMP, "extremes"}},
         .run = run_test);
