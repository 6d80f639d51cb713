/* Levels lent by mutexes: inheritance and ceilings. */
#include "fake.h"

/* What one held mutex lends its owner. */
static uint8_t lent_by(const struct rtg_mutex *mutex)
{
    if (mutex->protocol == RTG_PROTECT)
        return fake_has(FAULT_MUTEX_NO_CEILING) ? 0 : mutex->ceiling;
    if (mutex->protocol == RTG_INHERIT && mutex->waiters.head &&
        !fake_has(FAULT_MUTEX_NO_INHERITANCE))
        return mutex->waiters.head->priority;
    return 0;
}

static uint8_t priority_due(const struct fake_thread *thread)
{
    uint8_t due = thread->base;
    for (const struct rtg_mutex *m = thread->held; m; m = m->next_held)
        if (lent_by(m) > due)
            due = lent_by(m);
    return due;
}

/* Inheritance goes on from a thread that waits itself to the one it waits for. */
static struct fake_thread *next_in_chain(const struct fake_thread *thread)
{
    return thread->wants && !fake_has(FAULT_MUTEX_NO_CHAIN) ? thread->wants->owner : NULL;
}

void fake_refresh_priority(struct fake_thread *thread, enum fake_end when_lowered)
{
    while (thread) {
        uint8_t due = priority_due(thread);
        if (due == thread->priority)
            return;
        fake_change_priority(thread, due, due > thread->priority ? FAKE_TAIL : when_lowered);
        when_lowered = FAKE_HEAD;
        thread = next_in_chain(thread);
    }
}

void fake_restore_priority(struct fake_thread *thread, enum fake_fault unless)
{
    if (!fake_has(unless))
        fake_refresh_priority(thread, FAKE_HEAD);
}

void fake_hold(struct rtg_mutex *mutex, struct fake_thread *owner)
{
    mutex->owner = owner;
    mutex->depth = 1;
    mutex->next_held = owner->held;
    owner->held = mutex;
    fake_refresh_priority(owner, FAKE_HEAD);
}

/* The owner's priority is brought up to date by the caller, once the next owner
 * is known. */
void fake_let_go(struct rtg_mutex *mutex)
{
    struct rtg_mutex **link = &mutex->owner->held;
    while (*link != mutex)
        link = &(*link)->next_held;
    *link = mutex->next_held;
    mutex->owner = NULL;
    mutex->depth = 0;
}
