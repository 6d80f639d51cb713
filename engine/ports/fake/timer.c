/* Sleeping and periodic timers. */
#include "fake.h"

#define MARK 0x54494d52u /* tells a timer that was created from any other memory */

/* When what is set for `due` really comes. `early`: the fault that else brings it forward. */
static uint64_t expires_at(uint64_t due, enum fake_fault early)
{
    uint64_t shift = fake_k * 1000;
    if (fake_has(FAULT_TIMER_EARLY) || fake_has(early))
        return due > shift ? due - shift : 0;
    return fake_has(FAULT_TIMER_LATE) && due < FAKE_NEVER - 1 - shift ? due + shift : due;
}

uint64_t fake_time_out(uint64_t due)
{
    uint64_t early = fake_k * 1000;
    if (!fake_has(FAULT_TIMEOUT_EARLY) || due == FAKE_NEVER)
        return due;
    return due - fake_now > early ? due - early : fake_now;
}

static int sleep_to(uint64_t asked)
{
    uint64_t due = expires_at(asked, FAULT_SLEEP_EARLY);
    if (due <= fake_now)
        return RTG_OK;
    fake_wait_begin(FAKE_SLEEP, NULL, due);
    return fake_wait();
}

int rtg_sleep_until(uint64_t due_ns)
{
    fake_enter_kernel();
    fake_compute(fake_costs.sleep);
    return sleep_to(due_ns);
}

/* From the end of the call's own cost on. 0 returns at once, without a yield. */
int rtg_sleep_for(uint64_t ns)
{
    fake_enter_kernel();
    fake_compute(fake_costs.sleep);
    return sleep_to(ns < FAKE_NEVER - 1 - fake_now ? fake_now + ns : FAKE_NEVER - 1);
}

/* Expiries that went by while interrupts were off are counted together. */
static void expired(struct fake_expiry *expiry)
{
    struct rtg_timer *t = expiry->owner;
    uint64_t missed = (fake_now - expiry->due) / t->period;
    t->count += 1 + missed + fake_has(FAULT_TIMER_TWICE);
    fake_expiry_set(expiry, expiry->due + (1 + missed) * t->period);
    if (expiry->wakes) {
        expiry->wakes = false;
        fake_wake(t->owner, RTG_OK);
    }
}

int rtg_timer_create(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns)
{
    if (!t || period_ns == 0)
        return RTG_EINVAL;
    fake_enter_kernel();
    fake_compute(fake_costs.timer_new);
    *t = (struct rtg_timer){.mark = MARK, .period = period_ns, .owner = fake_current};
    t->expiry.action = expired;
    t->expiry.owner = t;
    if (!fake_has(FAULT_TIMER_NEVER))
        fake_expiry_set(&t->expiry, expires_at(first_ns, FAULT_TIMER_EARLY));
    fake_counts.objects++;
    fake_counts.handles++;
    fake_settle();
    return RTG_OK;
}

int rtg_timer_create_native(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns)
{
    (void)t;
    (void)first_ns;
    (void)period_ns;
    return RTG_ENOSUP;
}

int rtg_timer_wait(struct rtg_timer *t, uint64_t *expiries)
{
    if (!t || t->mark != MARK || !expiries || t->owner != fake_current)
        return RTG_EINVAL;
    fake_enter_kernel();
    fake_compute(fake_costs.timer_wait);
    if (t->count == 0) {
        t->expiry.wakes = true;
        fake_wait_begin(FAKE_TIMER, NULL, FAKE_NEVER);
        fake_wait();
    }
    *expiries = t->count;
    t->count = 0;
    return RTG_OK;
}

int rtg_timer_destroy(struct rtg_timer *t)
{
    if (!t || t->mark != MARK)
        return RTG_EINVAL;
    fake_enter_kernel();
    fake_compute(fake_costs.timer_new);
    if (t->expiry.wakes)
        return RTG_EBUSY;
    fake_expiry_clear(&t->expiry);
    t->mark = 0;
    if (fake_every_kth(FAULT_LEAK))
        return RTG_OK;
    fake_counts.objects--;
    fake_counts.handles--;
    return RTG_OK;
}
