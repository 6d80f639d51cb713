/* Mutexes. Both kinds, MUTEX and NATIVE, are the same here. */
#include "fake.h"

#define MARK 0x4d555458u /* tells a mutex that was created from any other memory */

enum wait_rule { MAY_WAIT, TRY_ONLY };

int rtg_mutex_create(struct rtg_mutex *m, const struct rtg_mutex_spec *spec)
{
    if (!m || !spec || spec->protocol > RTG_NONE || spec->kind > RTG_NATIVE)
        return RTG_EINVAL;
    if (spec->protocol == RTG_PROTECT && spec->ceiling >= rtg_level_count())
        return RTG_EINVAL;
    fake_compute(fake_costs.mutex_new);
    *m = (struct rtg_mutex){
        .mark = MARK,
        .protocol = (uint8_t)spec->protocol,
        .ceiling = (uint8_t)(spec->protocol == RTG_PROTECT ? spec->ceiling + 1 : 0),
        .recursive = spec->recursive,
    };
    fake_counts.objects++;
    return RTG_OK;
}

int rtg_mutex_destroy(struct rtg_mutex *m)
{
    if (!m || m->mark != MARK)
        return RTG_EINVAL;
    fake_compute(fake_costs.mutex_new);
    if (m->owner)
        return RTG_EBUSY;
    m->mark = 0;
    if (!fake_every_kth(FAULT_LEAK))
        fake_counts.objects--;
    return RTG_OK;
}

static bool above_ceiling(const struct rtg_mutex *m, const struct fake_thread *caller)
{
    return m->protocol == RTG_PROTECT && caller->base > m->ceiling;
}

static int lock_again(struct rtg_mutex *m, enum wait_rule rule)
{
    if (m->recursive) {
        m->depth++;
        return RTG_OK;
    }
    return rule == TRY_ONLY ? RTG_EBUSY : RTG_EFAIL;
}

static int wait_for(struct rtg_mutex *m, uint64_t due)
{
    fake_wait_begin(FAKE_MUTEX, &m->waiters, due);
    fake_current->wants = m;
    fake_refresh_priority(m->owner, FAKE_HEAD);
    return fake_wait();
}

static void pay(void)
{
    if (fake_has(FAULT_MUTEX_ENTERS_KERNEL))
        fake_enter_kernel();
    fake_compute(fake_costs.mutex);
}

static int lock(struct rtg_mutex *m, enum wait_rule rule, uint64_t due)
{
    if (!m || m->mark != MARK)
        return RTG_EINVAL;
    pay();
    if (above_ceiling(m, fake_current))
        return RTG_EINVAL;
    if (fake_has(FAULT_MUTEX_NOT_EXCLUSIVE) && m->owner)
        return RTG_OK;
    if (m->owner == fake_current)
        return lock_again(m, rule);
    if (m->owner) {
        if (rule == TRY_ONLY)
            return RTG_EBUSY;
        return due <= fake_now ? RTG_ETIMEOUT : wait_for(m, fake_time_out(due));
    }
    fake_hold(m, fake_current);
    return RTG_OK;
}

int rtg_mutex_lock(struct rtg_mutex *m)
{
    return lock(m, MAY_WAIT, FAKE_NEVER);
}

int rtg_mutex_try(struct rtg_mutex *m)
{
    return lock(m, TRY_ONLY, FAKE_NEVER);
}

int rtg_mutex_lock_until(struct rtg_mutex *m, uint64_t due_ns)
{
    return lock(m, MAY_WAIT, due_ns);
}

/* The mutex goes to its highest waiter at once; nobody can take it in between. */
static void hand_over(struct rtg_mutex *m)
{
    struct fake_thread *next = m->waiters.head;
    if (!next)
        return;
    fake_enter_kernel();
    fake_queue_remove(next);
    next->wants = NULL;
    fake_hold(m, next);
    fake_wake(next, RTG_OK);
    fake_compute_masked(fake_costs.wake);
}

int rtg_mutex_unlock(struct rtg_mutex *m)
{
    if (!m || m->mark != MARK)
        return RTG_EINVAL;
    pay();
    if (m->owner != fake_current)
        return RTG_EFAIL;
    if (--m->depth > 0)
        return RTG_OK;
    fake_let_go(m);
    hand_over(m);
    fake_restore_priority(fake_current, FAULT_MUTEX_NOT_RESTORED);
    fake_settle();
    return RTG_OK;
}
