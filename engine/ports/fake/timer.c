/* Sleeping and periodic timers. */
#include "fake.h"

#define MARK 0x54494d52u /* tells a timer that was created from any other memory */

static int sleep_to(uint64_t due)
{
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
    t->count += 1 + missed;
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
    fake_expiry_set(&t->expiry, first_ns);
    fake_counts.objects++;
    fake_counts.handles++;
    fake_settle();
    return RTG_OK;
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
    fake_counts.objects--;
    fake_counts.handles--;
    return RTG_OK;
}
