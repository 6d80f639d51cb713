/* objects.h - one of each kind of object, made, used and deleted in the same way:
 * part of MEM-B-LEK. */
#ifndef RTGAUGE_TESTS_OBJECTS_H
#define RTGAUGE_TESTS_OBJECTS_H

#include "semaphore.h"

struct object {
    struct rtg_thread thread;
    struct rtg_sem sem; /* of a thread: the gate that it waits at */
    struct rtg_mutex mutex;
    struct rtg_timer timer;
};

struct kind {
    const char *name;
    int (*make)(struct object *object);
    int (*drop)(struct object *object);
    bool countable; /* on every system: a living thread can be seen in some way */
};

static inline void wait_at_gate(void *sem)
{
    rtg_sem_acquire(sem);
}

static inline int make_semaphore(struct object *o)
{
    return make_gate(&o->sem);
}

static inline int make_named(struct object *o)
{
    int error = rtg_sem_create(&o->sem, RTG_COUNTING, RTG_NAMED, 0);
    return error == RTG_ENOSUP ? rtg_sem_create(&o->sem, RTG_BINARY, RTG_NAMED, 0) : error;
}

/* A semaphore is used once before it goes. */
static inline int drop_semaphore(struct object *o)
{
    int error = rtg_sem_release(&o->sem);
    error = error == RTG_OK ? rtg_sem_acquire(&o->sem) : error;
    int last = rtg_sem_destroy(&o->sem);
    return error == RTG_OK ? last : error;
}

static inline int make_thread(struct object *o)
{
    const char *why;
    bool realtime = rtg_realtime_allowed(&why) == RTG_OK;
    struct rtg_thread_spec spec = {.entry = wait_at_gate,
                                   .arg = &o->sem,
                                   .policy = realtime ? RTG_FIFO : RTG_NORMAL,
                                   .level = rtg_role_level(RTG_HI),
                                   .cpu = rtg_test_cpu()};
    int error = make_semaphore(o);
    if (error != RTG_OK)
        return error;
    error = rtg_thread_create(&o->thread, &spec);
    if (error != RTG_OK)
        rtg_sem_destroy(&o->sem);
    return error;
}

static inline int drop_thread(struct object *o)
{
    rtg_sem_release(&o->sem);
    int error = rtg_thread_join(&o->thread);
    int last = rtg_sem_destroy(&o->sem);
    return error == RTG_OK ? last : error;
}

static inline int make_mutex(struct object *o)
{
    struct rtg_mutex_spec spec = {.kind = RTG_MUTEX, .protocol = RTG_INHERIT};
    int error = rtg_mutex_create(&o->mutex, &spec);
    spec.protocol = RTG_NONE;
    return error == RTG_ENOSUP ? rtg_mutex_create(&o->mutex, &spec) : error;
}

static inline int drop_mutex(struct object *o)
{
    int error = rtg_mutex_lock(&o->mutex);
    error = error == RTG_OK ? rtg_mutex_unlock(&o->mutex) : error;
    int last = rtg_mutex_destroy(&o->mutex);
    return error == RTG_OK ? last : error;
}

static inline int make_timer(struct object *o)
{
    return rtg_timer_create(&o->timer, rtg_os_now() + 3600000000000u, 3600000000000u);
}

static inline int drop_timer(struct object *o)
{
    return rtg_timer_destroy(&o->timer);
}

#endif
