/* The template: neither the system's own events nor an interrupt that a test could ask for. */
#include "rtgauge/port.h"

int rtg_events_open(const struct rtg_clock *clock, const char **why)
{
    (void)clock;
    *why = "the template offers no events of its own";
    return RTG_ENOSUP;
}

void rtg_events_close(void)
{
}

int rtg_events_facts(struct rtg_events_facts *facts)
{
    (void)facts;
    return RTG_ENOSUP;
}

int rtg_events_record(bool on)
{
    (void)on;
    return RTG_ENOSUP;
}

int rtg_events_clear(void)
{
    return RTG_ENOSUP;
}

int rtg_events_count(int32_t cpu, struct rtg_events_count *count)
{
    (void)cpu;
    (void)count;
    return RTG_ENOSUP;
}

int rtg_events_read(int32_t cpu, rtg_event_fn take, void *to)
{
    (void)cpu;
    (void)take;
    (void)to;
    return RTG_ENOSUP;
}

int rtg_irq_source(uint32_t index, struct rtg_irq_source *source)
{
    (void)index;
    (void)source;
    return RTG_ENOSUP;
}

int rtg_irq_open(uint32_t index, const struct rtg_clock *clock, const char **why)
{
    (void)index;
    (void)clock;
    *why = "the template offers no interrupt that a test could ask for";
    return RTG_ENOSUP;
}

void rtg_irq_close(uint32_t index)
{
    (void)index;
}

int rtg_irq_fire(uint32_t index, uint64_t due_ns, uint64_t hold_ns)
{
    (void)index;
    (void)due_ns;
    (void)hold_ns;
    return RTG_ENOSUP;
}

int rtg_irq_repeat(uint32_t index, uint64_t first_ns, uint64_t period_ns, uint64_t n)
{
    (void)index;
    (void)first_ns;
    (void)period_ns;
    (void)n;
    return RTG_ENOSUP;
}

int rtg_irq_count(uint32_t index, struct rtg_irq_count *count)
{
    (void)index;
    (void)count;
    return RTG_ENOSUP;
}

int rtg_irq_wait(uint32_t index)
{
    (void)index;
    return RTG_ENOSUP;
}

int rtg_irq_cancel(uint32_t index)
{
    (void)index;
    return RTG_ENOSUP;
}

int rtg_irq_marks(uint32_t index, struct rtg_irq_mark *mark, uint32_t n, uint64_t *lost)
{
    (void)index;
    (void)mark;
    (void)n;
    (void)lost;
    return RTG_ENOSUP;
}
