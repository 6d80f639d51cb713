/* Semaphores and mutexes by POSIX calls. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <unistd.h>

static int last_error(int result)
{
    return result == 0 ? RTG_OK : errno == EAGAIN ? RTG_EBUSY : posix_error(errno);
}

void posix_unique_name(char *name)
{
    static atomic_uint count;
    const char *prefix = "/rtgauge.";
    unsigned long numbers[2] = {(unsigned long)getpid(), atomic_fetch_add(&count, 1)};
    while (*prefix != 0)
        *name++ = *prefix++;
    for (int i = 0; i < 2; i++) {
        char digits[24];
        int used = 0;
        do
            digits[used++] = (char)('0' + numbers[i] % 10);
        while ((numbers[i] /= 10) != 0);
        while (used != 0)
            *name++ = digits[--used];
        *name++ = i == 0 ? '.' : 0;
    }
}

/* The name is taken away at once: nothing stays behind whatever happens. */
static int create_named(struct rtg_sem *s, uint32_t initial)
{
    char name[64];
    posix_unique_name(name);
    s->sem = sem_open(name, O_CREAT | O_EXCL, 0600, initial);
    if (s->sem == SEM_FAILED)
        return posix_error(errno);
    sem_unlink(name);
    return RTG_OK;
}

int rtg_sem_create(struct rtg_sem *s, enum rtg_sem_kind kind, enum rtg_sem_name name,
                   uint32_t initial)
{
    if (kind == RTG_BINARY) /* POSIX semaphores count */
        return RTG_ENOSUP;
    if (initial > rtg_sem_max(kind))
        return RTG_EINVAL;
    if (name == RTG_NAMED)
        return create_named(s, initial);
    s->sem = &s->own;
    return last_error(sem_init(s->sem, name == RTG_SHARED, initial));
}

int rtg_sem_destroy(struct rtg_sem *s)
{
    return last_error(s->sem == &s->own ? sem_destroy(s->sem) : sem_close(s->sem));
}

int rtg_sem_acquire(struct rtg_sem *s)
{
    int result;
    do
        result = sem_wait(s->sem);
    while (result != 0 && errno == EINTR);
    return last_error(result);
}

int rtg_sem_try(struct rtg_sem *s)
{
    return last_error(sem_trywait(s->sem));
}

int rtg_sem_acquire_until(struct rtg_sem *s, uint64_t due_ns)
{
    struct timespec until = posix_realtime_at(due_ns);
    int result;
    do
        result = sem_timedwait(s->sem, &until);
    while (result != 0 && errno == EINTR);
    return last_error(result);
}

int rtg_sem_release(struct rtg_sem *s)
{
    return last_error(sem_post(s->sem));
}

int rtg_sem_value(struct rtg_sem *s, uint32_t *value)
{
    int now = 0;
    int result = sem_getvalue(s->sem, &now);
    *value = now > 0 ? (uint32_t)now : 0;
    return last_error(result);
}

uint32_t rtg_sem_max(enum rtg_sem_kind kind)
{
    return kind == RTG_BINARY ? 1 : SEM_VALUE_MAX;
}

/* ---- mutexes ------------------------------------------------------------ */

static int set_protocol(pthread_mutexattr_t *attributes, const struct rtg_mutex_spec *spec)
{
    switch (spec->protocol) {
    case RTG_INHERIT:
        return pthread_mutexattr_setprotocol(attributes, PTHREAD_PRIO_INHERIT);
    case RTG_NONE:
        return pthread_mutexattr_setprotocol(attributes, PTHREAD_PRIO_NONE);
    case RTG_PROTECT:
        break;
    }
#ifdef RTG_POSIX_NO_PRIO_PROTECT
    return ENOTSUP;
#else
    int error = pthread_mutexattr_setprotocol(attributes, PTHREAD_PRIO_PROTECT);
    if (error == 0)
        error = pthread_mutexattr_setprioceiling(attributes, posix_priority_of(spec->ceiling));
    return error;
#endif
}

int rtg_mutex_create(struct rtg_mutex *m, const struct rtg_mutex_spec *spec)
{
    pthread_mutexattr_t attributes;
    if (spec->kind == RTG_NATIVE) /* the POSIX mutex is this system's own */
        return RTG_ENOSUP;
    if (spec->protocol == RTG_PROTECT && spec->ceiling >= rtg_level_count())
        return RTG_EINVAL;
    pthread_mutexattr_init(&attributes);
    int error = pthread_mutexattr_settype(&attributes, spec->recursive ? PTHREAD_MUTEX_RECURSIVE
                                                                       : PTHREAD_MUTEX_NORMAL);
    if (error == 0)
        error = set_protocol(&attributes, spec);
    if (error == 0 && spec->shared)
        error = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    if (error == 0)
        error = pthread_mutex_init(&m->mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return posix_error(error);
}

int rtg_mutex_destroy(struct rtg_mutex *m)
{
    return posix_error(pthread_mutex_destroy(&m->mutex));
}

int rtg_mutex_lock(struct rtg_mutex *m)
{
    return posix_error(pthread_mutex_lock(&m->mutex));
}

int rtg_mutex_try(struct rtg_mutex *m)
{
    return posix_error(pthread_mutex_trylock(&m->mutex));
}

int rtg_mutex_lock_until(struct rtg_mutex *m, uint64_t due_ns)
{
    struct timespec until = posix_realtime_at(due_ns);
    return posix_error(pthread_mutex_timedlock(&m->mutex, &until));
}

int rtg_mutex_unlock(struct rtg_mutex *m)
{
    return posix_error(pthread_mutex_unlock(&m->mutex));
}
