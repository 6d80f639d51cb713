/* What the fake system records of itself, in virtual time: switches, wake-ups, interrupts.
 * The newest are kept. Recording one costs what costs.h says. */
#include <stdio.h>
#include <string.h>

#include "fake.h"
#include "rtgauge/clock.h"

enum { ROOM = 8192 };

static struct rtg_event kept[ROOM];
static uint64_t written; /* since the last clear */
static bool is_open, recording;

void fake_event(enum rtg_event_kind kind, const struct fake_thread *thread, uint64_t due,
                const char *name)
{
    if (!recording)
        return;
    fake_compute_masked(fake_costs.event);
    struct rtg_event *event = &kept[written++ % ROOM];
    *event = (struct rtg_event){.at = fake_stamp(),
                                .due_ns = due,
                                .kind = kind,
                                .other = (int32_t)fake_thread_number(fake_current),
                                .level = -1,
                                .target = -1};
    if (thread) {
        event->cpu = kind == RTG_EVENT_WAKING ? fake_current->cpu : thread->cpu;
        event->id = (int32_t)fake_thread_number(thread);
        event->level = thread->priority;
        event->target = kind == RTG_EVENT_WAKING ? (int32_t)thread->cpu : -1;
    }
    if (kind == RTG_EVENT_SWITCH)
        strcpy(event->state, fake_current->state == FAKE_READY   ? "R"
                             : fake_current->state == FAKE_ENDED ? "X"
                                                                 : "S");
    if (thread)
        snprintf(event->name, sizeof event->name, "thread-%d", (int)event->id);
    else
        snprintf(event->name, sizeof event->name, "%s", name);
}

int rtg_events_open(const struct rtg_clock *clock, const char **why)
{
    *why = is_open ? "the events are being recorded already" : "there is no such clock";
    if (is_open)
        return RTG_EBUSY;
    if (!clock)
        return RTG_ENOSUP;
    is_open = true;
    return rtg_events_clear();
}

void rtg_events_close(void)
{
    recording = is_open = false;
}

int rtg_events_facts(struct rtg_events_facts *facts)
{
    if (!is_open || !facts)
        return RTG_EINVAL;
    *facts =
        (struct rtg_events_facts){"irq-entry irq-exit softirq-entry softirq-exit", sizeof kept, 0};
    return RTG_OK;
}

int rtg_events_record(bool on)
{
    if (!is_open)
        return RTG_EINVAL;
    recording = on;
    return RTG_OK;
}

int rtg_events_clear(void)
{
    if (!is_open || recording)
        return RTG_EINVAL;
    written = 0;
    return RTG_OK;
}

int rtg_events_count(int32_t cpu, struct rtg_events_count *count)
{
    if (!is_open || !count)
        return RTG_EINVAL;
    if (cpu != 0)
        return RTG_ENOSUP;
    count->kept = written < ROOM ? written : ROOM;
    count->lost = written - count->kept;
    count->bytes = count->kept * sizeof *kept;
    return RTG_OK;
}

int rtg_events_read(int32_t cpu, rtg_event_fn take, void *to)
{
    if (!is_open || recording || !take)
        return RTG_EINVAL;
    uint64_t at = written < ROOM ? 0 : written - ROOM;
    bool more = cpu == 0;
    for (; more && at < written; at++)
        more = take(to, &kept[at % ROOM]);
    return RTG_OK;
}
