/* Linux: the timer as a source of interrupts. Its marks are the kernel's own events: the
 * entry and exit of the interrupt in which the expiry that we asked for was handled.
 * Sources from 1 up are those of the kernel module. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "linux_events.h"
#include "linux_irq_module.h"
#include "linux_read.h"
#include "posix.h"

static struct {
    int file;
    bool recorder_is_ours;
    atomic_bool cancelled;
} timer = {.file = -1};

int rtg_irq_source(uint32_t index, struct rtg_irq_source *source)
{
    if (index != 0)
        return linux_module_source(index - 1, source);
    *source = (struct rtg_irq_source){
        .name = "timer",
        .marks = "the kernel's events: entry and exit of the timer's interrupt",
        .wakes_all = true,
        .tells_others = true,
        .shares_tick = true,
    };
    return RTG_OK;
}

static int open_recorder(const struct rtg_clock *clock, const char **why)
{
    struct rtg_events_facts facts;
    int error = linux_events_open(clock, false, why);
    timer.recorder_is_ours = error == RTG_OK;
    if (error != RTG_OK && rtg_events_facts(&facts) != RTG_OK)
        return error;
    rtg_events_facts(&facts);
    if (facts.resolution_ns == 0 && strstr(facts.missing, "timer-due") == NULL)
        return rtg_events_record(true);
    *why = facts.resolution_ns != 0
               ? "the kernel tells the times of its events less exactly than this clock counts"
               : "the kernel does not tell when a timer expired";
    if (timer.recorder_is_ours)
        rtg_events_close();
    return RTG_ENOSUP;
}

int rtg_irq_open(uint32_t index, const struct rtg_clock *clock, const char **why)
{
    if (index != 0)
        return linux_module_open(index - 1, clock, why);
    *why = "the source is in use";
    if (timer.file >= 0)
        return RTG_EBUSY;
    *why = "PREEMPT_RT leaves the expiries of this source to a thread, which the test's own keeps "
           "from running: another source is needed";
    if (linux_is_realtime())
        return RTG_ENOSUP;
    int error = open_recorder(clock, why);
    if (error != RTG_OK)
        return error;
    atomic_store(&timer.cancelled, false);
    timer.file = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    if (timer.file >= 0)
        return RTG_OK;
    error = posix_error(errno);
    *why = "no timer could be created";
    if (timer.recorder_is_ours)
        rtg_events_close();
    return error;
}

void rtg_irq_close(uint32_t index)
{
    if (index != 0)
        linux_module_close(index - 1);
    if (index != 0 || timer.file < 0)
        return;
    close(timer.file);
    timer.file = -1;
    if (timer.recorder_is_ours)
        rtg_events_close();
}

int rtg_irq_fire(uint32_t index, uint64_t due_ns, uint64_t hold_ns)
{
    struct itimerspec once = {.it_value = posix_timespec(due_ns)};
    if (index != 0)
        return linux_module_fire(index - 1, due_ns, hold_ns);
    if (timer.file < 0 || hold_ns != 0 || due_ns == 0)
        return RTG_EINVAL;
    return timerfd_settime(timer.file, TFD_TIMER_ABSTIME, &once, NULL) == 0 ? RTG_OK
                                                                            : posix_error(errno);
}

int rtg_irq_repeat(uint32_t index, uint64_t first_ns, uint64_t period_ns, uint64_t n)
{
    return index == 0 ? RTG_ENOSUP : linux_module_repeat(index - 1, first_ns, period_ns, n);
}

int rtg_irq_count(uint32_t index, struct rtg_irq_count *count)
{
    return index == 0 ? RTG_ENOSUP : linux_module_count(index - 1, count);
}

int rtg_irq_wait(uint32_t index)
{
    uint64_t fired;
    ssize_t got;
    if (index != 0)
        return linux_module_wait(index - 1);
    if (timer.file < 0)
        return RTG_EINVAL;
    do
        got = read(timer.file, &fired, sizeof fired);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return posix_error(errno);
    return atomic_load_explicit(&timer.cancelled, memory_order_relaxed) ? RTG_ETIMEOUT : RTG_OK;
}

int rtg_irq_cancel(uint32_t index)
{
    if (index != 0)
        return linux_module_cancel(index - 1);
    atomic_store(&timer.cancelled, true);
    return rtg_irq_fire(0, 1, 0);
}

/* ---- marks ------------------------------------------------------------------- */

struct matching {
    struct rtg_irq_mark *mark;
    uint32_t n;
    uint32_t depth; /* handlers within each other */
    uint64_t entry; /* of the outermost one */
    uint64_t ended; /* the last one, or a softirq, did */
    struct rtg_irq_mark *last;
    struct rtg_irq_mark *served;
    bool alone;
};

static struct rtg_irq_mark *find(struct matching *m, uint64_t due)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->mark[i].due_ns == due)
            return &m->mark[i];
    }
    return NULL;
}

static void begins(struct matching *m, uint64_t at)
{
    if (m->last != NULL)
        m->last->after = at;
    m->last = NULL;
}

static void enter(struct matching *m, uint64_t at)
{
    if (m->depth++ > 0) {
        m->alone = false;
        return;
    }
    begins(m, at);
    m->entry = at;
    m->served = NULL;
    m->alone = true;
}

static void leave(struct matching *m, uint64_t at)
{
    if (m->depth == 0) /* the record begins within a handler */
        return;
    m->depth--;
    if (m->depth > 0)
        return;
    uint64_t ended = m->ended;
    m->ended = at;
    if (m->served == NULL)
        return;
    m->served->before = ended;
    m->last = m->served;
    m->served->entry = m->entry;
    m->served->exit = at;
    m->served->alone = m->alone;
}

/* Two timers of the same due time cannot be told apart by it; their functions differ. */
static void expire(struct matching *m, const struct rtg_event *event)
{
    struct rtg_irq_mark *mark =
        strncmp(event->name, "timerfd", 7) == 0 ? find(m, event->due_ns) : NULL;
    if (mark == NULL || m->depth == 0 || m->served != NULL) {
        m->alone = false;
        return;
    }
    m->served = mark;
    mark->times++;
}

static bool match(void *to, const struct rtg_event *event)
{
    struct matching *m = to;
    switch (event->kind) {
    case RTG_EVENT_VECTOR_ENTRY:
    case RTG_EVENT_IRQ_ENTRY:
        enter(m, event->at);
        break;
    case RTG_EVENT_VECTOR_EXIT:
    case RTG_EVENT_IRQ_EXIT:
        leave(m, event->at);
        break;
    case RTG_EVENT_SOFTIRQ_ENTRY:
        begins(m, event->at);
        break;
    case RTG_EVENT_SOFTIRQ_EXIT:
        m->ended = event->at;
        break;
    case RTG_EVENT_TIMER_DUE:
        expire(m, event);
        break;
    default:
        break;
    }
    return true;
}

int rtg_irq_marks(uint32_t index, struct rtg_irq_mark *mark, uint32_t n, uint64_t *lost)
{
    struct matching m = {.mark = mark, .n = n};
    struct rtg_events_count count = {.lost = 0};
    if (index != 0)
        return linux_module_marks(index - 1, mark, n, lost);
    if (timer.file < 0 || n > RTG_IRQ_BATCH)
        return RTG_EINVAL;
    for (uint32_t i = 0; i < n; i++)
        mark[i] = (struct rtg_irq_mark){.due_ns = mark[i].due_ns};
    rtg_events_record(false);
    int error = rtg_events_read(posix_limits.cpu, match, &m);
    rtg_events_count(posix_limits.cpu, &count);
    *lost = count.lost;
    if (timer.recorder_is_ours)
        rtg_events_clear();
    rtg_events_record(true);
    return error;
}
