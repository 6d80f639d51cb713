/* Virtual time: the tick, expiries in the order of their due times, and the
 * interrupts that deliver both. */
#include "fake.h"

uint64_t fake_now = FAKE_BOOT_NS;
uint64_t fake_next_event = FAKE_BOOT_NS + FAKE_TICK_NS;
struct fake_counts fake_counts;

static uint64_t next_tick = FAKE_BOOT_NS + FAKE_TICK_NS;
static uint64_t watchdog_due = FAKE_NEVER;
static uint64_t limit_due = FAKE_NEVER;
static struct fake_expiry *first_expiry;

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void find_next_event(void)
{
    uint64_t end = earlier(watchdog_due, limit_due);
    uint64_t expiry = first_expiry ? first_expiry->due : FAKE_NEVER;
    fake_next_event = earlier(end, earlier(next_tick, expiry));
}

/* Expiries that are due at the same instant keep the order in which they were set. */
void fake_expiry_set(struct fake_expiry *expiry, uint64_t due)
{
    struct fake_expiry *before = NULL;
    struct fake_expiry *after = first_expiry;
    while (after && after->due <= due) {
        before = after;
        after = after->next;
    }
    expiry->due = due;
    expiry->pending = true;
    expiry->previous = before;
    expiry->next = after;
    if (after)
        after->previous = expiry;
    if (before)
        before->next = expiry;
    else
        first_expiry = expiry;
    find_next_event();
}

void fake_expiry_clear(struct fake_expiry *expiry)
{
    if (!expiry->pending)
        return;
    expiry->pending = false;
    if (expiry->next)
        expiry->next->previous = expiry->previous;
    if (expiry->previous)
        expiry->previous->next = expiry->next;
    else
        first_expiry = expiry->next;
    find_next_event();
}

void fake_watchdog_at(uint64_t due)
{
    watchdog_due = due;
    find_next_event();
}

void fake_limit_at(uint64_t due)
{
    limit_due = due;
    find_next_event();
}

uint64_t fake_last_tick(void)
{
    return next_tick - FAKE_TICK_NS;
}

static void handle_tick(void)
{
    uint64_t begin = fake_now;
    bool long_one = fake_has(FAULT_TICK_TAKES);
    fake_counts.ticks++;
    fake_event(RTG_EVENT_VECTOR_ENTRY, NULL, 0, "tick");
    fake_compute_masked(long_one ? fake_k * 1000 : fake_costs.tick_interrupt);
    fake_tick_slice();
    fake_event(RTG_EVENT_VECTOR_EXIT, NULL, 0, "tick");
    fake_other_interrupt(begin, fake_now);
}

/* No tick is ever lost: one that comes late is delivered late. */
static void tick_interrupt(void)
{
    next_tick += FAKE_TICK_NS;
    find_next_event();
    if (fake_every_kth(FAULT_TICK_LOST))
        return;
    handle_tick();
    if (fake_every_kth(FAULT_TICK_TWICE))
        handle_tick();
}

static void timer_interrupt(void)
{
    struct fake_expiry *expiry = first_expiry;
    fake_counts.expiries++;
    fake_expiry_clear(expiry);
    uint64_t due = expiry->due;
    fake_event(RTG_EVENT_VECTOR_ENTRY, NULL, 0, "timer");
    fake_compute_masked(fake_costs.timer_interrupt);
    fake_event(RTG_EVENT_TIMER_DUE, NULL, due, "expiry");
    expiry->action(expiry);
    fake_event(RTG_EVENT_TIMER_EXIT, NULL, 0, "expiry");
    fake_event(RTG_EVENT_VECTOR_EXIT, NULL, 0, "timer");
}

static void end_when_too_late(void)
{
    if (watchdog_due <= fake_now)
        fake_end_process(RTG_EXIT_WATCHDOG, "fake port: the watchdog was not fed in time");
    if (limit_due <= fake_now)
        fake_end_process(RTG_EXIT_WATCHDOG, "fake port: the time limit of the engine is reached");
}

/* At the same instant the tick comes first. */
static bool tick_is_first(void)
{
    return !first_expiry || next_tick <= first_expiry->due;
}

void fake_deliver_due(void)
{
    while (fake_next_event <= fake_now) {
        end_when_too_late();
        if (tick_is_first())
            tick_interrupt();
        else
            timer_interrupt();
    }
}

/* Ticks and timers that nobody waits for would go on for ever. */
static bool anybody_will_wake(void)
{
    for (const struct fake_expiry *e = first_expiry; e; e = e->next)
        if (e->wakes)
            return true;
    return false;
}

void fake_idle_until_next(void)
{
    if (!anybody_will_wake())
        fake_end_process(FAKE_EXIT_DEADLOCK,
                         "fake port: deadlock: every thread waits and nothing is due");
    fake_now = fake_next_event;
}

void fake_compute_across_events(uint64_t ns)
{
    for (;;) {
        fake_settle();
        uint64_t room = fake_next_event - fake_now;
        if (ns < room) {
            fake_now += ns;
            return;
        }
        ns -= room;
        fake_now = fake_next_event;
    }
}
