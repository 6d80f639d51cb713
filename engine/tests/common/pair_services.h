/* pair_services.h - the services of SMP-P-SCL: what two threads do with objects of their
 * own in one turn. */
#ifndef RTGAUGE_TESTS_PAIR_SERVICES_H
#define RTGAUGE_TESTS_PAIR_SERVICES_H

#include <stdatomic.h>

#include "rtgauge/test.h"

enum { BATCH = 32 }; /* turns */

/* `one` does the turns, `other` answers or competes. */
struct pair {
    struct rtg_thread one, other;
    struct rtg_sem go_one, go_other; /* a batch */
    struct rtg_sem there, back;      /* service=semaphore */
    struct rtg_mutex mutex;          /* service=mutex */
    atomic_bool held, wanted;        /* by `other`; by `one` */
    struct rtg_queue call, answer;   /* service=queue */
    rtg_stamp_t start[BATCH], stop[BATCH];
};

/* What a service needs of a pair; `turn` is measured, `other` is the
 * second thread's part in a batch of them. */
struct service {
    const char *name;
    int (*make)(struct pair *p);
    void (*before)(struct pair *p); /* each turn; may be NULL */
    int (*turn)(struct pair *p);
    int (*other)(struct pair *p);
    void (*drop)(struct pair *p);
};

/* ---- semaphore: a signal and its answer ------------------------------------ */

static inline int make_semaphores(struct pair *p)
{
    int error = rtg_sem_create(&p->there, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        return error;
    error = rtg_sem_create(&p->back, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        rtg_sem_destroy(&p->there);
    return error;
}

static inline void drop_semaphores(struct pair *p)
{
    rtg_sem_destroy(&p->there);
    rtg_sem_destroy(&p->back);
}

static inline int signal_and_wait(struct pair *p)
{
    int error = rtg_sem_release(&p->there);
    return error | rtg_sem_acquire(&p->back);
}

static inline int answer_signals(struct pair *p)
{
    int errors = 0;
    for (uint32_t i = 0; i < BATCH; i++) {
        errors |= rtg_sem_acquire(&p->there);
        errors |= rtg_sem_release(&p->back);
    }
    return errors;
}

/* ---- mutex: the other holds it at each request ----------------------------- */

static inline int make_mutex(struct pair *p)
{
    struct rtg_mutex_spec spec = {.kind = RTG_MUTEX, .protocol = RTG_INHERIT};
    return rtg_mutex_create(&p->mutex, &spec);
}

static inline void drop_mutex(struct pair *p)
{
    rtg_mutex_destroy(&p->mutex);
}

/* The first turn meets an owner as all others do. */
static inline void wait_until_held(struct pair *p)
{
    while (!atomic_load(&p->held))
        rtg_thread_yield();
}

static inline int lock_and_unlock(struct pair *p)
{
    atomic_store(&p->wanted, true);
    int error = rtg_mutex_lock(&p->mutex);
    atomic_store(&p->wanted, false);
    return error | rtg_mutex_unlock(&p->mutex);
}

/* Has the mutex at each request, and gives it up as soon as it sees that. */
static inline int hold_until_wanted(struct pair *p)
{
    int errors = 0;
    for (uint32_t i = 0; i < BATCH; i++) {
        errors |= rtg_mutex_lock(&p->mutex);
        atomic_store(&p->held, true);
        while (!atomic_load(&p->wanted))
            rtg_thread_yield();
        atomic_store(&p->held, false);
        errors |= rtg_mutex_unlock(&p->mutex);
        while (atomic_load(&p->wanted))
            rtg_thread_yield();
    }
    return errors;
}

/* ---- queue: a message and its answer --------------------------------------- */

static inline int make_queues(struct pair *p)
{
    int error = rtg_queue_create(&p->call, 1, sizeof(uint64_t));
    if (error != RTG_OK)
        return error;
    error = rtg_queue_create(&p->answer, 1, sizeof(uint64_t));
    if (error != RTG_OK)
        rtg_queue_destroy(&p->call);
    return error;
}

static inline void drop_queues(struct pair *p)
{
    rtg_queue_destroy(&p->call);
    rtg_queue_destroy(&p->answer);
}

/* Each message is one more than the one that it answers. */
enum { CALL = 7 };

static inline int receive_number(struct rtg_queue *from, uint64_t wanted)
{
    uint64_t message = 0;
    uint32_t size = 0, priority = 0;
    int error = rtg_queue_receive(from, &message, &size, &priority);
    if (error != RTG_OK)
        return error;
    return size == sizeof message && message == wanted ? RTG_OK : RTG_EFAIL;
}

static inline int send_number(struct rtg_queue *to, uint64_t message)
{
    return rtg_queue_send(to, &message, sizeof message, 0);
}

static inline int call_and_wait(struct pair *p)
{
    int error = send_number(&p->call, CALL);
    return error | receive_number(&p->answer, CALL + 1);
}

static inline int answer_calls(struct pair *p)
{
    int errors = 0;
    for (uint32_t i = 0; i < BATCH; i++) {
        errors |= receive_number(&p->call, CALL);
        errors |= send_number(&p->answer, CALL + 1);
    }
    return errors;
}

static const struct service services[] = {
    {"semaphore", make_semaphores, NULL, signal_and_wait, answer_signals, drop_semaphores},
    {"mutex", make_mutex, wait_until_held, lock_and_unlock, hold_until_wanted, drop_mutex},
    {"queue", make_queues, NULL, call_and_wait, answer_calls, drop_queues},
};

#endif
