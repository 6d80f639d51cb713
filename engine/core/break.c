/* Ending a test at its first sample above the limit that the request gives. */
#include <string.h>

#include "core.h"

/* Of `ns`, rounded up, plus what two stamps themselves take. */
static rtg_stamp_t ticks_of(const struct rtg_clock_facts *clock, uint64_t ns)
{
    uint64_t rate = clock->rate_num / clock->rate_den;
    uint64_t whole = ns / 1000000000u * rate, rest = ns % 1000000000u;
    uint64_t part = rate > UINT32_MAX ? rate / 1000 * rest / 1000000 : rate * rest / 1000000000u;
    return (rtg_stamp_t)(whole + part + 1) + clock->overhead;
}

/* The tests of the instrument itself end nothing: what they show is no fault of the system. */
void rtg_break_begin_test(struct rtg_core *core)
{
    struct rtg_events *e = &core->events;
    memset(e->limit, 0, sizeof e->limit);
    memset(e->looked_at, 0, sizeof e->looked_at);
    if (core->request.break_on_ns == 0 || strncmp(core->run.test->id, "CAL-", 4) == 0)
        return;
    for (uint32_t i = 0; i < core->series; i++) {
        if (core->run.test->series[i].source == RTG_BY_STAMP)
            e->limit[i] = ticks_of(&core->clock, core->request.break_on_ns);
        else if (core->run.test->series[i].source == RTG_BY_OS)
            e->limit[i] = (rtg_stamp_t)core->request.break_on_ns;
    }
}

static bool above(const struct rtg_core *core, uint32_t series, const struct rtg_buffer *b,
                  uint32_t at)
{
    if (core->run.test->series[series].source == RTG_BY_OS)
        return b->stop[at] > b->start[at] &&
               b->stop[at] - b->start[at] > core->events.limit[series];
    rtg_stamp_t ticks = rtg_ticks_between(rtg_clocks[core->clock.index], b->start[at], b->stop[at]);
    return ticks > core->events.limit[series] && ticks >> (RTG_STAMP_BITS - 1) == 0;
}

static void end_at(struct rtg_core *core, uint32_t series, const struct rtg_buffer *b, uint32_t at)
{
    struct rtg_events *e = &core->events;
    if (e->open)
        rtg_events_record(false);
    if (atomic_exchange(&e->broke, true))
        return;
    e->break_series = series;
    e->break_start = b->start[at];
    e->break_stop = b->stop[at];
}

bool rtg_break_now(struct rtg_core *core)
{
    struct rtg_events *e = &core->events;
    for (uint32_t i = 0; i < core->series && core->request.break_on_ns != 0; i++) {
        const struct rtg_buffer *b = &core->run.series[i];
        for (uint32_t at = e->looked_at[i]; e->limit[i] != 0 && at < b->count; at++) {
            if (above(core, i, b, at)) {
                end_at(core, i, b, at);
                break;
            }
        }
        e->looked_at[i] = b->count;
    }
    return atomic_load_explicit(&e->broke, memory_order_relaxed);
}

bool rtg_go_on(struct rtg_run *run, unsigned series, const struct rtg_buffer *b)
{
    struct rtg_core *core = rtg_core_of(run);
    if (core->events.limit[series] != 0 && b->count != 0 && above(core, series, b, b->count - 1))
        end_at(core, series, b, b->count - 1);
    return !rtg_halted(run);
}
