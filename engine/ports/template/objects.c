/* Semaphores and mutexes. */
#include "rtgauge/port.h"

int rtg_sem_create(struct rtg_sem *s, enum rtg_sem_kind kind, enum rtg_sem_name name,
                   uint32_t initial)
{
    (void)s;
    (void)kind;
    (void)name;
    (void)initial;
    return RTG_ENOSUP;
}

int rtg_sem_destroy(struct rtg_sem *s)
{
    (void)s;
    return RTG_ENOSUP;
}

int rtg_sem_acquire(struct rtg_sem *s)
{
    (void)s;
    return RTG_ENOSUP;
}

int rtg_sem_try(struct rtg_sem *s)
{
    (void)s;
    return RTG_ENOSUP;
}

int rtg_sem_acquire_until(struct rtg_sem *s, uint64_t due_ns)
{
    (void)s;
    (void)due_ns;
    return RTG_ENOSUP;
}

int rtg_sem_release(struct rtg_sem *s)
{
    (void)s;
    return RTG_ENOSUP;
}

int rtg_sem_value(struct rtg_sem *s, uint32_t *value)
{
    (void)s;
    (void)value;
    return RTG_ENOSUP;
}

uint32_t rtg_sem_max(enum rtg_sem_kind kind)
{
    (void)kind;
    return 0;
}

int rtg_mutex_create(struct rtg_mutex *m, const struct rtg_mutex_spec *spec)
{
    (void)m;
    (void)spec;
    return RTG_ENOSUP;
}

int rtg_mutex_destroy(struct rtg_mutex *m)
{
    (void)m;
    return RTG_ENOSUP;
}

int rtg_mutex_lock(struct rtg_mutex *m)
{
    (void)m;
    return RTG_ENOSUP;
}

int rtg_mutex_try(struct rtg_mutex *m)
{
    (void)m;
    return RTG_ENOSUP;
}

int rtg_mutex_lock_until(struct rtg_mutex *m, uint64_t due_ns)
{
    (void)m;
    (void)due_ns;
    return RTG_ENOSUP;
}

int rtg_mutex_unlock(struct rtg_mutex *m)
{
    (void)m;
    return RTG_ENOSUP;
}
