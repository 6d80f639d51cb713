/* Two sources of interrupts in virtual time. The handler of the second, the higher one,
 * interrupts that of the first. Their marks are exact. */
#include <string.h>

#include "fake.h"
#include "rtgauge/clock.h"

enum { SOURCES = 2, LOG = 2 * RTG_IRQ_BATCH };

struct served {
    uint64_t due, entry, exit, before, after;
};
static uint64_t ended; /* the last interrupt that is none of ours */

static struct source {
    bool open, cancelled, fired;
    uint64_t hold;
    uint64_t period, left; /* of a series */
    struct rtg_irq_count count;
    struct fake_expiry expiry;
    struct fake_queue waiters;
    struct served log[LOG];
    uint32_t logged;
    uint64_t lost; /* that found no room there */
} sources[SOURCES];

static void fire_now(struct fake_expiry *expiry);

int rtg_irq_source(uint32_t index, struct rtg_irq_source *source)
{
    if (index >= SOURCES || !source)
        return RTG_ENOSUP;
    *source = (struct rtg_irq_source){.name = index == 0 ? "timer" : "timer-2",
                                      .marks = "virtual time, read by the handler itself",
                                      .nests = index == 0,
                                      .tells_others = true,
                                      .holds = true};
    return RTG_OK;
}

int rtg_irq_open(uint32_t index, const struct rtg_clock *clock, const char **why)
{
    *why = "there is no such source";
    if (index >= SOURCES || !clock)
        return RTG_ENOSUP;
    *why = "the source is in use";
    if (sources[index].open)
        return RTG_EBUSY;
    memset(&sources[index], 0, sizeof sources[index]);
    sources[index].open = true;
    sources[index].expiry.owner = &sources[index];
    sources[index].expiry.action = fire_now;
    return RTG_OK;
}

void rtg_irq_close(uint32_t index)
{
    if (index >= SOURCES || !sources[index].open)
        return;
    fake_expiry_clear(&sources[index].expiry);
    sources[index].open = false;
}

/* ---- the handler ------------------------------------------------------------- */

/* While the lower handler lasts, the higher source may interrupt it. */
static void last_for(struct source *s, uint64_t ns)
{
    struct fake_expiry *higher = &sources[1].expiry;
    uint64_t end = fake_now + ns;
    if (s == &sources[0] && higher->pending && higher->due <= end) {
        uint64_t at = higher->due > fake_now ? higher->due : fake_now;
        uint64_t rest = end - at;
        fake_now = at;
        fake_expiry_clear(higher);
        fake_counts.expiries++;
        fake_compute_masked(fake_costs.timer_interrupt);
        fire_now(higher);
        fake_compute_masked(rest);
        return;
    }
    fake_compute_masked(ns);
}

static void handle(struct source *s, uint64_t due)
{
    struct served one = {.due = due, .entry = fake_stamp(), .before = ended};
    last_for(s, fake_costs.irq_handler + s->hold);
    if (s->waiters.head)
        fake_wake(s->waiters.head, RTG_OK);
    else
        s->fired = true;
    one.exit = fake_stamp();
    if (s->logged < LOG)
        s->log[s->logged++] = one;
    else
        s->lost++;
    fake_compute_masked(fake_costs.irq_return);
}

/* The next of a series whose time has not passed yet. */
static void go_on(struct source *s, uint64_t due)
{
    while (s->left > 0) {
        s->count.generated++;
        due += s->period;
        if (--s->left == 0)
            s->count.done = true;
        else if (due > fake_now) {
            fake_expiry_set(&s->expiry, due);
            return;
        }
    }
}

static void fire_now(struct fake_expiry *expiry)
{
    struct source *s = expiry->owner;
    uint64_t due = expiry->due;
    if (!fake_every_kth(FAULT_INTERRUPT_LOST)) {
        s->count.serviced++;
        handle(s, due);
        if (fake_every_kth(FAULT_HANDLER_TWICE))
            handle(s, due);
    }
    go_on(s, due);
}

void fake_other_interrupt(uint64_t begin, uint64_t end)
{
    for (uint32_t i = 0; i < SOURCES; i++) {
        struct source *s = &sources[i];
        if (s->logged > 0 && s->log[s->logged - 1].after == 0)
            s->log[s->logged - 1].after = begin;
    }
    ended = end;
}

/* ---- the calls ----------------------------------------------------------------- */

static int start(uint32_t index, uint64_t due_ns, uint64_t hold_ns, uint64_t period_ns, uint64_t n)
{
    if (index >= SOURCES || !sources[index].open)
        return RTG_EINVAL;
    struct source *s = &sources[index];
    fake_enter_kernel();
    fake_compute(fake_costs.timer_wait);
    fake_expiry_clear(&s->expiry);
    s->fired = false;
    s->hold = hold_ns;
    s->period = period_ns;
    s->left = n;
    s->count = (struct rtg_irq_count){.done = false};
    if (due_ns <= fake_now)
        return RTG_ETIMEOUT;
    s->expiry.wakes = s->waiters.head != NULL;
    fake_expiry_set(&s->expiry, due_ns);
    fake_settle();
    return RTG_OK;
}

int rtg_irq_fire(uint32_t index, uint64_t due_ns, uint64_t hold_ns)
{
    return start(index, due_ns, hold_ns, 0, 0);
}

int rtg_irq_repeat(uint32_t index, uint64_t first_ns, uint64_t period_ns, uint64_t n)
{
    if (n == 0 || period_ns == 0)
        return RTG_EINVAL;
    return start(index, first_ns, 0, period_ns, n);
}

int rtg_irq_count(uint32_t index, struct rtg_irq_count *count)
{
    if (index >= SOURCES || !sources[index].open || !count)
        return RTG_EINVAL;
    *count = sources[index].count;
    return RTG_OK;
}

int rtg_irq_wait(uint32_t index)
{
    if (index >= SOURCES || !sources[index].open)
        return RTG_EINVAL;
    struct source *s = &sources[index];
    fake_enter_kernel();
    fake_compute(fake_costs.timer_wait);
    if (s->cancelled)
        return RTG_ETIMEOUT;
    if (s->fired) {
        s->fired = false;
        return RTG_OK;
    }
    s->expiry.wakes = true;
    fake_wait_begin(FAKE_TIMER, &s->waiters, FAKE_NEVER);
    return fake_wait();
}

int rtg_irq_cancel(uint32_t index)
{
    if (index >= SOURCES || !sources[index].open)
        return RTG_EINVAL;
    struct source *s = &sources[index];
    fake_enter_kernel();
    fake_compute(fake_costs.timer_wait);
    s->cancelled = true;
    if (s->waiters.head)
        fake_wake(s->waiters.head, RTG_ETIMEOUT);
    fake_settle();
    return RTG_OK;
}

/* What was due up to then. */
static void forget(struct source *s, uint64_t due)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->logged; i++) {
        if (s->log[i].due > due)
            s->log[kept++] = s->log[i];
    }
    s->logged = kept;
}

int rtg_irq_marks(uint32_t index, struct rtg_irq_mark *mark, uint32_t n, uint64_t *lost)
{
    if (index >= SOURCES || !sources[index].open || n > RTG_IRQ_BATCH || !lost)
        return RTG_EINVAL;
    struct source *s = &sources[index];
    for (uint32_t i = 0; i < n; i++) {
        mark[i] = (struct rtg_irq_mark){.due_ns = mark[i].due_ns, .alone = true};
        for (uint32_t k = 0; k < s->logged; k++) {
            if (s->log[k].due != mark[i].due_ns)
                continue;
            if (mark[i].times++ == 0) {
                mark[i].entry = s->log[k].entry;
                mark[i].before = s->log[k].before;
            }
            mark[i].exit = s->log[k].exit;
            mark[i].after = s->log[k].after;
        }
    }
    forget(s, n > 0 ? mark[n - 1].due_ns : UINT64_MAX);
    *lost = s->lost;
    s->lost = 0;
    return RTG_OK;
}
