/* Who runs. Each rule of the scheduler is one function. */
#include "fake.h"

enum { SWITCHES_TO_A_LATE_ONE = 97 }; /* FAULT_SWITCH_LATE */

struct fake_thread *fake_current;

static struct fake_queue ready[FAKE_PRIORITIES];
static uint64_t ready_mask; /* bit p: ready[p] is not empty */
static struct fake_thread *favoured;

/* ---- the rules --------------------------------------------------------- */

/* The thread that the CPU is given to: the head of the highest ready queue. */
static struct fake_thread *highest_ready(void)
{
    if (favoured)
        return favoured;
    if (!ready_mask)
        return NULL;
    return ready[63 - __builtin_clzll(ready_mask)].head;
}

/* Only a higher thread takes the CPU away; an equal one waits. */
static bool pre_empts(const struct fake_thread *candidate, const struct fake_thread *running)
{
    return candidate && candidate->priority > running->priority;
}

/* Where a pre-empted thread goes: it will be the next of its level. */
static enum fake_end end_when_pre_empted(void)
{
    return FAKE_HEAD;
}

static bool is_sliced(const struct fake_thread *thread)
{
    return thread->policy != RTG_FIFO && !fake_has(FAULT_SLICES_NEVER_END);
}

/* ---- ready queues ------------------------------------------------------ */

void fake_make_ready(struct fake_thread *thread, enum fake_end end)
{
    thread->state = FAKE_READY;
    fake_queue_put(&ready[thread->priority], thread, end);
    ready_mask |= UINT64_C(1) << thread->priority;
}

void fake_unready(struct fake_thread *thread)
{
    fake_queue_remove(thread);
    if (!ready[thread->priority].head)
        ready_mask &= ~(UINT64_C(1) << thread->priority);
}

void fake_change_priority(struct fake_thread *thread, uint8_t priority, enum fake_end end)
{
    if (thread->state == FAKE_READY) {
        fake_unready(thread);
        thread->priority = priority;
        fake_make_ready(thread, end);
        return;
    }
    thread->priority = priority;
    if (thread->in) {
        struct fake_queue *queue = thread->in;
        fake_queue_remove(thread);
        fake_queue_put_by_priority(queue, thread);
    }
}

/* ---- the switch -------------------------------------------------------- */

static struct fake_thread *next_thread(bool *was_idle)
{
    *was_idle = false;
    for (;;) {
        fake_deliver_due();
        struct fake_thread *next = highest_ready();
        if (next)
            return next;
        fake_idle_until_next();
        *was_idle = true;
    }
}

void fake_dispatch(void)
{
    struct fake_thread *self = fake_current;
    bool was_idle;
    struct fake_thread *next = next_thread(&was_idle);
    favoured = NULL;
    fake_unready(next);
    next->state = FAKE_RUNNING;
    next->started = true;
    if (next != self || was_idle)
        fake_compute_masked(fake_costs.switching);
    if (next == self)
        return;
    if (fake_has(FAULT_SWITCH_LATE) && (fake_counts.switches + 1) % SWITCHES_TO_A_LATE_ONE == 0)
        fake_compute_masked(fake_k * 1000);
    if (self->state == FAKE_READY)
        self->involuntary++;
    fake_counts.switches++;
    fake_event(RTG_EVENT_SWITCH, next, 0, NULL);
    fake_current = next;
    fake_fiber_switch(self->fiber, next->fiber, self->state == FAKE_ENDED);
}

static void give_up_cpu(enum fake_end end)
{
    fake_make_ready(fake_current, end);
    fake_dispatch();
}

void fake_favour(struct fake_thread *thread)
{
    favoured = thread;
    give_up_cpu(FAKE_HEAD);
}

struct fake_thread *fake_highest_lower(void)
{
    uint64_t lower = ready_mask & ((UINT64_C(1) << fake_current->priority) - 1);
    return lower ? ready[63 - __builtin_clzll(lower)].head : NULL;
}

void fake_settle(void)
{
    for (;;) {
        fake_deliver_due();
        if (fake_current->slice_over) {
            fake_current->slice_over = false;
            give_up_cpu(FAKE_TAIL);
        } else if (pre_empts(highest_ready(), fake_current)) {
            give_up_cpu(end_when_pre_empted());
        } else {
            return;
        }
    }
}

void fake_place_caller(enum fake_end end)
{
    if (end == FAKE_TAIL && ready[fake_current->priority].head)
        give_up_cpu(FAKE_TAIL);
    fake_settle();
}

void fake_tick_slice(void)
{
    struct fake_thread *running = fake_current;
    if (running->state != FAKE_RUNNING || !is_sliced(running))
        return;
    if (--running->slice > 0)
        return;
    running->slice = running->usual_slice;
    running->slice_over = ready[running->priority].head != NULL;
}

void rtg_thread_yield(void)
{
    fake_enter_kernel();
    fake_compute(fake_costs.yield);
    if (fake_has(FAULT_YIELD_NOTHING))
        return;
    if (fake_has(FAULT_YIELD_TO_LOWER) && !ready[fake_current->priority].head &&
        fake_highest_lower())
        fake_favour(fake_highest_lower());
    fake_place_caller(FAKE_TAIL);
}

/* ---- waiting ----------------------------------------------------------- */

void fake_wait_begin(enum fake_reason reason, struct fake_queue *queue, uint64_t due)
{
    struct fake_thread *self = fake_current;
    fake_enter_kernel();
    self->state = FAKE_WAITING;
    self->waits_for = reason;
    if (queue) {
        if (fake_has(FAULT_WAITERS_COST))
            fake_compute_masked(fake_k * fake_queue_length(queue));
        fake_queue_put_by_priority(queue, self);
    }
    if (due != FAKE_NEVER)
        fake_expiry_set(&self->timeout, due);
}

int fake_wait(void)
{
    struct fake_thread *self = fake_current;
    fake_compute_masked(fake_costs.block);
    fake_dispatch();
    fake_settle();
    return self->result;
}

void fake_wake(struct fake_thread *thread, int result)
{
    if (thread->in)
        fake_queue_remove(thread);
    fake_expiry_clear(&thread->timeout);
    thread->waits_for = FAKE_NOTHING;
    thread->wants = NULL;
    thread->result = result;
    fake_event(RTG_EVENT_WAKING, thread, 0, NULL);
    fake_make_ready(thread, FAKE_TAIL);
}

void fake_enter_kernel(void)
{
    fake_counts.kernel_entries++;
    fake_apart_entered();
}
