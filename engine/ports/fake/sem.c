/* Semaphores. A release with a waiter gives it the unit directly: the value
 * stays 0, and nobody can take it in between. */
#include "fake.h"

#define MARK 0x53454d41u /* tells a semaphore that was created from any other memory */

uint32_t rtg_sem_max(enum rtg_sem_kind kind)
{
    return kind == RTG_BINARY ? 1u : 0x7fffffffu;
}

static uint32_t cost_of_new(bool named)
{
    return named ? fake_costs.sem_new_named : fake_costs.sem_new;
}

/* The name itself lives nowhere: nobody else can use one. */
int rtg_sem_create(struct rtg_sem *s, enum rtg_sem_kind kind, enum rtg_sem_name name,
                   uint32_t initial)
{
    if (!s || kind > RTG_BINARY || name > RTG_SHARED || initial > rtg_sem_max(kind))
        return RTG_EINVAL;
    bool named = name == RTG_NAMED;
    if (named)
        fake_enter_kernel();
    fake_compute(cost_of_new(named));
    *s = (struct rtg_sem){.mark = MARK, .value = initial, .max = rtg_sem_max(kind), .named = named};
    fake_counts.objects++;
    fake_counts.handles += named;
    return RTG_OK;
}

int rtg_sem_destroy(struct rtg_sem *s)
{
    if (!s || s->mark != MARK)
        return RTG_EINVAL;
    if (s->named)
        fake_enter_kernel();
    fake_compute(cost_of_new(s->named));
    if (s->waiters.head)
        return RTG_EBUSY;
    s->mark = 0;
    if (fake_every_kth(FAULT_LEAK))
        return RTG_OK;
    fake_counts.objects--;
    fake_counts.handles -= s->named;
    return RTG_OK;
}

/* Pays for a call; whether it is one on a semaphore at all. */
static bool begins(const struct rtg_sem *s)
{
    if (!s || s->mark != MARK)
        return false;
    if (fake_has(FAULT_SEM_ENTERS_KERNEL))
        fake_enter_kernel();
    fake_compute(fake_costs.sem);
    return true;
}

static bool take(struct rtg_sem *s)
{
    if (s->value == 0 || (fake_has(FAULT_SEM_BLOCKS_AT_ONE) && s->value == 1))
        return false;
    s->value--;
    return true;
}

static int wait_for(struct rtg_sem *s, uint64_t due)
{
    fake_wait_begin(FAKE_SEM, &s->waiters, due);
    return fake_wait();
}

int rtg_sem_acquire(struct rtg_sem *s)
{
    if (!begins(s))
        return RTG_EINVAL;
    return take(s) ? RTG_OK : wait_for(s, FAKE_NEVER);
}

int rtg_sem_try(struct rtg_sem *s)
{
    if (!begins(s))
        return RTG_EINVAL;
    return take(s) ? RTG_OK : RTG_EBUSY;
}

int rtg_sem_acquire_until(struct rtg_sem *s, uint64_t due_ns)
{
    if (!begins(s))
        return RTG_EINVAL;
    if (take(s))
        return RTG_OK;
    return due_ns <= fake_now ? RTG_ETIMEOUT : wait_for(s, fake_time_out(due_ns));
}

static void give_to(struct fake_thread *waiter)
{
    fake_enter_kernel();
    fake_wake(waiter, RTG_OK);
    fake_compute_masked(fake_costs.wake);
    if (!fake_has(FAULT_SEM_NO_RESCHEDULE))
        fake_settle();
}

int rtg_sem_release(struct rtg_sem *s)
{
    if (!begins(s))
        return RTG_EINVAL;
    if (s->waiters.head)
        give_to(s->waiters.head);
    else if (s->value == s->max && !fake_has(FAULT_SEM_NO_LIMIT))
        return RTG_EFULL;
    else if (!fake_every_kth(FAULT_SEM_LOSES_RELEASE))
        s->value++;
    return RTG_OK;
}

int rtg_sem_value(struct rtg_sem *s, uint32_t *value)
{
    if (!value || !begins(s))
        return RTG_EINVAL;
    *value = s->value + (fake_has(FAULT_SEM_VALUE_WRONG) ? (uint32_t)fake_k : 0);
    return RTG_OK;
}
