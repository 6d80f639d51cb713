/* The scenes of MUT-B-ARC. Each creates its threads afresh, lets them play, joins
 * them all, and leaves in `at` in which order the events came. The test's own
 * thread keeps the CPU until all are placed. */
#ifndef RTGAUGE_TESTS_ARC_SCENE_H
#define RTGAUGE_TESTS_ARC_SCENE_H

#include <stdatomic.h>

#include "common/roles.h"

enum {
    ARC_WORK_NS = 1000000,
    ARC_WAIT_NS = 20000000,
    ARC_MOST_NS = 60000000,
    ARC_LATE_PASSES = 100
};

enum arc_event {
    LO_HOLDS,
    LINK_ASKS, /* holds lock 1, asks for lock 0 */
    HI_ASKS,
    LO_RESUMES, /* runs again, still holding */
    LO_RELEASES,
    LO_GOES_ON, /* back from its release */
    HI_ENDS,    /* has had the lock, or the time limit came */
    MID_RUNS,
    ARC_EVENTS
};

/* A mutex, or a semaphore in its place: a lock that surely inherits nothing. */
struct arc_lock {
    bool semaphore;
    struct rtg_mutex mutex;
    struct rtg_sem sem;
};

struct arc_scene {
    struct rtg_run *run;
    struct arc_lock lock[2];
    struct rtg_sem step;
    atomic_uint next, at[ARC_EVENTS]; /* 0: did not happen */
    uint32_t lo_level;
    int hi_error;  /* of HI's request */
    bool hi_early; /* it gave up before its time limit */
};

static inline int arc_take(struct arc_lock *lock)
{
    return lock->semaphore ? rtg_sem_acquire(&lock->sem) : rtg_mutex_lock(&lock->mutex);
}

static inline int arc_give(struct arc_lock *lock)
{
    return lock->semaphore ? rtg_sem_release(&lock->sem) : rtg_mutex_unlock(&lock->mutex);
}

static inline int arc_take_until(struct arc_lock *lock, uint64_t due)
{
    return lock->semaphore ? rtg_sem_acquire_until(&lock->sem, due)
                           : rtg_mutex_lock_until(&lock->mutex, due);
}

static inline int arc_make(struct arc_lock *lock, const struct rtg_mutex_spec *spec)
{
    lock->semaphore = spec == NULL;
    return spec == NULL ? rtg_sem_create(&lock->sem, RTG_COUNTING, RTG_UNNAMED, 1)
                        : rtg_mutex_create(&lock->mutex, spec);
}

static inline void arc_drop(struct arc_lock *lock)
{
    if (lock->semaphore)
        rtg_sem_destroy(&lock->sem);
    else
        rtg_mutex_destroy(&lock->mutex);
}

static inline void arc_mark(struct arc_scene *s, enum arc_event event)
{
    atomic_store(&s->at[event], atomic_fetch_add(&s->next, 1) + 1);
}

/* Both happened, in this order. */
static inline bool arc_ordered(struct arc_scene *s, enum arc_event first, enum arc_event second)
{
    return atomic_load(&s->at[first]) != 0 &&
           atomic_load(&s->at[first]) < atomic_load(&s->at[second]);
}

/* ---- the threads -------------------------------------------------------- */

static inline void arc_lo(void *arg)
{
    struct arc_scene *s = arg;
    arc_take(&s->lock[0]);
    arc_mark(s, LO_HOLDS);
    rtg_sem_release(&s->step);
    arc_mark(s, LO_RESUMES);
    rtg_spin(ARC_WORK_NS);
    arc_mark(s, LO_RELEASES);
    arc_give(&s->lock[0]);
    arc_mark(s, LO_GOES_ON);
}

/* Runs again only when LINK has blocked, and says so. */
static inline void arc_lo_of_chain(void *arg)
{
    struct arc_scene *s = arg;
    arc_take(&s->lock[0]);
    arc_mark(s, LO_HOLDS);
    rtg_sem_release(&s->step);
    rtg_sem_release(&s->step);
    arc_mark(s, LO_RESUMES);
    rtg_spin(ARC_WORK_NS);
    arc_mark(s, LO_RELEASES);
    arc_give(&s->lock[0]);
}

/* Holds until MID has run, or much longer than HI waits: after that time it passes
 * often once more, lest the CPU was others' all the while. */
static inline void arc_hold_on(struct arc_scene *s, void (*pass)(void))
{
    uint32_t late = 0;
    arc_take(&s->lock[0]);
    arc_mark(s, LO_HOLDS);
    rtg_sem_release(&s->step);
    arc_mark(s, LO_RESUMES);
    uint64_t end = rtg_os_now() + ARC_MOST_NS;
    while (atomic_load(&s->at[MID_RUNS]) == 0 && late < ARC_LATE_PASSES) {
        pass();
        late += rtg_os_now() >= end;
    }
    arc_mark(s, LO_RELEASES);
    arc_give(&s->lock[0]);
}

/* Lets its equals run, so that HI, whose level it has inherited, can act upon its
 * time-out. */
static inline void arc_lo_yielding(void *arg)
{
    arc_hold_on(arg, rtg_thread_yield);
}

static inline void arc_lo_greedy(void *arg)
{
    arc_hold_on(arg, rtg_cpu_relax);
}

static inline void arc_link(void *arg)
{
    struct arc_scene *s = arg;
    arc_take(&s->lock[1]);
    arc_mark(s, LINK_ASKS);
    arc_take(&s->lock[0]);
    arc_give(&s->lock[0]);
    arc_give(&s->lock[1]);
}

static inline void arc_mid(void *arg)
{
    struct arc_scene *s = arg;
    arc_mark(s, MID_RUNS);
    rtg_spin(ARC_WORK_NS);
}

static inline void arc_hi_asks(struct arc_scene *s, struct arc_lock *lock)
{
    arc_mark(s, HI_ASKS);
    s->hi_error = arc_take(lock);
    if (s->hi_error == RTG_OK)
        arc_give(lock);
    arc_mark(s, HI_ENDS);
}

static inline void arc_hi(void *arg)
{
    struct arc_scene *s = arg;
    arc_hi_asks(s, &s->lock[0]);
}

static inline void arc_hi_of_chain(void *arg)
{
    struct arc_scene *s = arg;
    arc_hi_asks(s, &s->lock[1]);
}

static inline void arc_hi_impatient(void *arg)
{
    struct arc_scene *s = arg;
    arc_mark(s, HI_ASKS);
    uint64_t due = rtg_os_now() + ARC_WAIT_NS;
    s->hi_error = arc_take_until(&s->lock[0], due);
    s->hi_early = s->hi_error == RTG_ETIMEOUT && rtg_os_now() < due;
    arc_mark(s, HI_ENDS);
    if (s->hi_error == RTG_OK)
        arc_give(&s->lock[0]);
}

/* ---- the play ----------------------------------------------------------- */

enum arc_play { ARC_PLAIN, ARC_CHAIN, ARC_TIMED, ARC_TIMED_GREEDY };

/* Creates the threads in the order of the play and joins them all. In a chain MID
 * stands above LINK and HI above MID, so that what LINK alone lends to LO does not
 * keep MID off; HI is then the equal of the test's own thread, which waits. */
static inline bool arc_cast(struct arc_scene *s, enum arc_play play, uint32_t lo_level)
{
    static const rtg_entry los[] = {arc_lo, arc_lo_of_chain, arc_lo_yielding, arc_lo_greedy};
    static const rtg_entry his[] = {arc_hi, arc_hi_of_chain, arc_hi_impatient, arc_hi_impatient};
    bool chain = play == ARC_CHAIN;
    uint32_t mid_level = rtg_role_level(chain ? RTG_HI : RTG_MID);
    uint32_t hi_level = rtg_role_level(chain ? RTG_TOP : RTG_HI);
    struct rtg_thread lo, link, mid, hi;

    bool has_lo = rtg_spawn(s->run, &lo, lo_level, los[play], s);
    if (has_lo)
        rtg_sem_acquire(&s->step); /* LO holds lock 0 */
    bool has_link =
        has_lo && chain && rtg_spawn(s->run, &link, rtg_role_level(RTG_MID), arc_link, s);
    if (has_link)
        rtg_sem_acquire(&s->step); /* LINK waits for it */
    bool has_mid = has_lo && has_link == chain && rtg_spawn(s->run, &mid, mid_level, arc_mid, s);
    bool has_hi = has_mid && rtg_spawn(s->run, &hi, hi_level, his[play], s);
    if (has_hi)
        rtg_thread_join(&hi);
    if (has_mid)
        rtg_thread_join(&mid);
    if (has_link)
        rtg_thread_join(&link);
    if (has_lo)
        rtg_thread_join(&lo);
    return has_hi;
}

/* RTG_OK when all threads could be created and played their part. `spec` NULL:
 * semaphores in place of mutexes. */
static inline int arc_play(struct arc_scene *s, enum arc_play play,
                           const struct rtg_mutex_spec *spec, uint32_t lo_level)
{
    for (int i = 0; i < ARC_EVENTS; i++)
        atomic_store(&s->at[i], 0);
    atomic_store(&s->next, 0);
    int error = arc_make(&s->lock[0], spec);
    if (error != RTG_OK)
        return error;
    error = arc_make(&s->lock[1], spec);
    if (error == RTG_OK) {
        error = rtg_sem_create(&s->step, RTG_COUNTING, RTG_UNNAMED, 0);
        if (error == RTG_OK) {
            error = arc_cast(s, play, lo_level) ? RTG_OK : RTG_EFULL;
            rtg_sem_destroy(&s->step);
        }
        arc_drop(&s->lock[1]);
    }
    arc_drop(&s->lock[0]);
    return error;
}

#endif
