/* contention.h - threads that block on one semaphore one by one, and are released
 * one by one: the procedure of SEM-P-ARC and SEM-P-SCL.
 *
 * A driver at the lowest level opens each thread's own gate; the thread runs at
 * once, fails to acquire the semaphore and blocks, so the driver runs again
 * (acquire). When all wait, as many releases follow; each lets one waiter run at
 * once (release), which goes back to its gate. The order in which they block
 * differs from the order of their levels, so a system that releases first come,
 * first served, or last come, breaks the premise. */
#ifndef RTGAUGE_TESTS_CONTENTION_H
#define RTGAUGE_TESTS_CONTENTION_H

#include <stdatomic.h>

#include "levels.h"
#include "semaphore.h"

enum { SERIES_ACQUIRE, SERIES_RELEASE };

#define SERIES_CONTENTION(how)                                                                     \
    {                                                                                              \
        {"acquire",                                                                                \
         "ns",                                                                                     \
         "before the acquire that fails",                                                          \
         "when the driver runs again",                                                             \
         "start: the waiter; stop: the driver, which has the lowest level",                        \
         "waiters",                                                                                \
         RTG_BY_STAMP,                                                                             \
         how},                                                                                     \
        {                                                                                          \
            "release", "ns", "before the release", "when the highest waiter runs",                 \
                "start: the driver, which has the lowest level; stop: the waiter", "waiters",      \
                RTG_BY_STAMP, how                                                                  \
        }                                                                                          \
    }

struct waiter {
    struct contention *in;
    uint32_t level;
    struct rtg_sem gate;
    struct rtg_thread thread;
    _Atomic rtg_stamp_t asked_at; /* the stamp before the acquire */
    atomic_bool asking;           /* between asking and having the semaphore */
};

struct contention {
    struct rtg_run *run;
    struct rtg_sem sem;
    struct waiter *waiter; /* by level, lowest first */
    uint32_t n;
    uint32_t gates, threads; /* made so far */
    uint32_t stride;         /* they block in the order 0, stride, 2 stride, ... mod n */
    struct waiter *_Atomic released;
    _Atomic rtg_stamp_t released_at;
    atomic_bool over;
    uint64_t wakings; /* of a waiter by the driver: as often the driver was pre-empted by ours */
};

static inline void wait_in_turn(void *arg)
{
    struct waiter *me = arg;
    struct contention *c = me->in;
    for (;;) {
        int error = rtg_sem_acquire(&me->gate);
        if (error != RTG_OK)
            rtg_broken(c->run, "a gate could not be acquired");
        if (error != RTG_OK || atomic_load(&c->over))
            return;
        atomic_store(&me->asking, true);
        rtg_stamp_t start = rtg_stamp_start();
        atomic_store_explicit(&me->asked_at, start, memory_order_relaxed);
        error = rtg_sem_acquire(&c->sem);
        rtg_stamp_t stop = rtg_stamp_stop();
        atomic_store_explicit(&c->released_at, stop, memory_order_relaxed);
        atomic_store(&me->asking, false);
        atomic_store(&c->released, me);
        if (error != RTG_OK)
            rtg_broken(c->run, "the semaphore could not be acquired");
        if (error != RTG_OK || atomic_load(&c->over)) {
            rtg_sem_release(&c->sem); /* the end goes from waiter to waiter */
            return;
        }
    }
}

static inline void block_one(struct contention *c, struct waiter *waiter, uint32_t waiters)
{
    rtg_dirty(c->run);
    rtg_sem_release(&waiter->gate);
    rtg_stamp_t stop = rtg_stamp_stop();
    c->wakings++;
    if (!atomic_load(&waiter->asking))
        rtg_broken(c->run, "a waiter did not run and block when its gate was opened");
    else
        rtg_record(c->run, SERIES_ACQUIRE, atomic_load(&waiter->asked_at), stop, (uint16_t)waiters);
}

/* With all blocked and the highest released each time, waiter[waiters - 1] has
 * the level that must come next. */
static inline void release_one(struct contention *c, uint32_t waiters)
{
    rtg_dirty(c->run);
    atomic_store(&c->released, NULL);
    rtg_stamp_t start = rtg_stamp_start();
    int error = rtg_sem_release(&c->sem);
    const struct waiter *who = atomic_load(&c->released);
    c->wakings++;
    if (error != RTG_OK)
        rtg_broken(c->run, "the semaphore could not be released");
    else if (who == NULL)
        rtg_broken(c->run, "no waiter ran when the semaphore was released");
    else if (who->level != c->waiter[waiters - 1].level)
        rtg_broken(c->run, "the waiter that was released is not the highest");
    else
        rtg_record(c->run, SERIES_RELEASE, start, atomic_load(&c->released_at), (uint16_t)waiters);
}

static inline void contend(struct contention *c)
{
    rtg_per_iteration(c->run, c->n);
    while (rtg_next(c->run)) {
        rtg_breathe(c->run);
        for (uint32_t i = 0; i < c->n && !rtg_halted(c->run); i++)
            block_one(c, &c->waiter[(uint64_t)i * c->stride % c->n], i + 1);
        for (uint32_t i = c->n; i > 0 && !rtg_halted(c->run); i--)
            release_one(c, i);
    }
}

/* ---- setting up and clearing away --------------------------------------- */

/* A step through 0..n-1 that visits each once and jumps about. */
static inline uint32_t jumping_stride(uint32_t n)
{
    uint32_t stride = n * 5 / 8 + 1;
    for (;; stride++) {
        uint32_t a = n, b = stride;
        while (b != 0) {
            uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return stride;
    }
}

static inline bool set_up(struct contention *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        struct waiter *w = &c->waiter[i];
        w->in = c;
        w->level = level_above_driver(i, c->n);
        atomic_init(&w->asked_at, 0);
        atomic_init(&w->asking, false);
        int error = make_gate(&w->gate);
        if (error != RTG_OK) {
            rtg_error(c->run, error, "creating a gate");
            return false;
        }
        c->gates++;
        if (!rtg_spawn(c->run, &w->thread, w->level, wait_in_turn, w))
            return false;
        c->threads++;
    }
    return true;
}

static inline void clear_away(struct contention *c)
{
    atomic_store(&c->over, true);
    rtg_sem_release(&c->sem);
    for (uint32_t i = 0; i < c->threads; i++)
        rtg_sem_release(&c->waiter[i].gate);
    for (uint32_t i = 0; i < c->threads; i++)
        rtg_thread_join(&c->waiter[i].thread);
    for (uint32_t i = 0; i < c->gates; i++)
        rtg_sem_destroy(&c->waiter[i].gate);
    rtg_sem_destroy(&c->sem);
}

static inline void tell_levels(const struct contention *c)
{
    uint32_t levels = 1;
    for (uint32_t i = 1; i < c->n; i++)
        levels += c->waiter[i].level != c->waiter[i - 1].level;
    rtg_evidence(c->run, "waiters", c->n, "");
    rtg_evidence(c->run, "levels", levels, "");
}

/* The whole procedure with up to `n` waiters. */
static inline enum rtg_outcome run_contention(struct rtg_run *run, uint32_t n)
{
    size_t needed = n * sizeof(struct waiter), bytes = needed;
    struct contention c = {.run = run, .n = n, .stride = jumping_stride(n)};
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    c.waiter = rtg_scratch(run, &bytes);
    if (c.waiter == NULL || bytes < needed)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory for so many waiters");
    int error = make_sem(run, &c.sem, 0);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating the semaphore");

    struct rtg_thread_state before, after = {.involuntary = 0};
    rtg_self_level(run, rtg_role_level(RTG_LO));
    bool ready = set_up(&c);
    if (ready) {
        rtg_thread_query(NULL, &before);
        contend(&c);
        rtg_thread_query(NULL, &after);
    }
    clear_away(&c);
    if (!ready)
        return RTG_INVALID;
    tell_levels(&c);
    /* What is left of the driver's involuntary switches came from outside; below
     * zero: the system does not count every pre-emption. */
    rtg_evidence_switches(run, "driver_preempted_by_others",
                          (int64_t)(after.involuntary - before.involuntary - c.wakings));
    return RTG_DONE;
}

#endif
