/* Priority inversion in a loop, for MUT-P-ARC and MUT-P-INV: LO takes a lock, MID
 * becomes ready, HI asks for the lock. The test's own thread at RTG_TOP sets the
 * scene, so nobody moves before all are placed. HI and MID are the same for both
 * tests; each brings its own LO, whose stamps differ.
 *
 * What the threads note is read when the turn is over. On one CPU relaxed atomics
 * are enough for it, and cost nothing between the stamps. */
#ifndef RTGAUGE_TESTS_INVERSION_H
#define RTGAUGE_TESTS_INVERSION_H

#include <stdatomic.h>

#include "common/roles.h"

struct inversion {
    struct rtg_run *run;
    struct rtg_mutex mutex;
    struct rtg_sem go_lo, go_mid, go_hi;
    struct rtg_sem step; /* LO holds the lock; then: LO is through */
    struct rtg_thread lo, mid, hi;
    void (*lo_loop)(struct inversion *);
    int64_t lo_preempted, turns;  /* times */
    uint64_t hold_ns, mid_ns;     /* work of LO under the lock, of MID */
    atomic_bool over;             /* the threads end */
    atomic_bool held;             /* LO holds the lock */
    atomic_bool mid_ran;          /* MID has begun its work in this turn */
    atomic_bool asked_held;       /* HI met a held lock */
    atomic_bool shared;           /* HI owned it while LO still held it */
    atomic_bool mid_between;      /* MID ran before HI owned the lock */
    _Atomic rtg_stamp_t acquired; /* LO: after its acquire */
    _Atomic rtg_stamp_t request;  /* HI: before its request */
    _Atomic rtg_stamp_t resumed;  /* LO: running again */
    _Atomic rtg_stamp_t release;  /* LO: before its release */
    _Atomic rtg_stamp_t owned;    /* HI: after its request */
};

static inline void note_stamp(_Atomic rtg_stamp_t *to, rtg_stamp_t stamp)
{
    atomic_store_explicit(to, stamp, memory_order_relaxed);
}

static inline rtg_stamp_t stamp_of(_Atomic rtg_stamp_t *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static inline void inversion_ask(struct inversion *s)
{
    atomic_store(&s->asked_held, atomic_load(&s->held));
    rtg_stamp_t request = rtg_stamp_start();
    rtg_mutex_lock(&s->mutex);
    rtg_stamp_t owned = rtg_stamp_stop();
    atomic_store(&s->mid_between, atomic_load(&s->mid_ran));
    atomic_store(&s->shared, atomic_load(&s->held));
    note_stamp(&s->request, request);
    note_stamp(&s->owned, owned);
    rtg_mutex_unlock(&s->mutex);
}

/* HI where a sample begins at its request. */
static inline void inversion_hi(void *arg)
{
    struct inversion *s = arg;
    struct rtg_thread_state before;
    rtg_watch_begin(s->run, &before);
    while (rtg_sem_acquire(&s->go_hi) == RTG_OK && !atomic_load(&s->over)) {
        rtg_dirty(s->run);
        inversion_ask(s);
    }
    rtg_watch_end(s->run, &before);
}

/* HI where a sample began before: nothing but the inversion may be in it. */
static inline void inversion_hi_within(void *arg)
{
    struct inversion *s = arg;
    struct rtg_thread_state before;
    rtg_watch_begin(s->run, &before);
    while (rtg_sem_acquire(&s->go_hi) == RTG_OK && !atomic_load(&s->over))
        inversion_ask(s);
    rtg_watch_end(s->run, &before);
}

/* LO is pre-empted by the others three times in each turn: when it lets the test's
 * own thread go on, twice, and when it lets HI have the lock. */
static inline void inversion_lo(void *arg)
{
    struct inversion *s = arg;
    struct rtg_thread_state before, after;
    bool known = rtg_thread_query(NULL, &before) == RTG_OK;
    s->lo_loop(s);
    if (known && rtg_thread_query(NULL, &after) == RTG_OK)
        s->lo_preempted = (int64_t)(after.involuntary - before.involuntary);
}

static inline void inversion_mid(void *arg)
{
    struct inversion *s = arg;
    struct rtg_thread_state before;
    rtg_watch_begin(s->run, &before);
    while (rtg_sem_acquire(&s->go_mid) == RTG_OK && !atomic_load(&s->over)) {
        atomic_store(&s->mid_ran, true);
        if (s->mid_ns > 0)
            rtg_spin(s->mid_ns);
    }
    rtg_watch_end(s->run, &before);
}

/* One inversion, from all threads blocked to all blocked again. MID is ready
 * before HI asks: it became so while this thread kept the CPU. */
static inline void inversion_turn(struct inversion *s)
{
    rtg_breathe(s->run);
    s->turns++;
    atomic_store(&s->mid_ran, false);
    rtg_sem_release(&s->go_lo);
    rtg_sem_acquire(&s->step);
    rtg_sem_release(&s->go_mid);
    rtg_sem_release(&s->go_hi);
    rtg_sem_acquire(&s->step);
}

static inline void inversion_stop(struct inversion *s, uint32_t threads)
{
    struct rtg_thread *const thread[] = {&s->lo, &s->mid, &s->hi};
    struct rtg_sem *const sem[] = {&s->go_lo, &s->go_mid, &s->go_hi, &s->step};
    atomic_store(&s->over, true);
    for (uint32_t i = 0; i < threads; i++)
        rtg_sem_release(sem[i]);
    for (uint32_t i = 0; i < threads; i++)
        rtg_thread_join(thread[i]);
    for (uint32_t i = 0; i < sizeof sem / sizeof *sem; i++)
        rtg_sem_destroy(sem[i]);
    rtg_mutex_destroy(&s->mutex);
}

/* Ends the threads of a whole scene. Below zero: the system does not count every
 * pre-emption. */
static inline void inversion_end(struct inversion *s)
{
    inversion_stop(s, 3);
    rtg_evidence_switches(s->run, "lo_preempted_by_others", s->lo_preempted - 3 * s->turns);
}

/* Makes the lock and the threads: `lo` is LO's loop, `hi` one of the two above.
 * RTG_DONE, or how the test ends. */
static inline enum rtg_outcome inversion_start(struct inversion *s, struct rtg_run *run,
                                               const struct rtg_mutex_spec *spec,
                                               void (*lo)(struct inversion *), rtg_entry hi)
{
    struct rtg_sem *const sem[] = {&s->go_lo, &s->go_mid, &s->go_hi, &s->step};
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    s->run = run;
    s->lo_loop = lo;
    int error = rtg_mutex_create(&s->mutex, spec);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating such a mutex");
    uint32_t made = 0;
    while (made < sizeof sem / sizeof *sem &&
           (error = rtg_sem_create(sem[made], RTG_COUNTING, RTG_UNNAMED, 0)) == RTG_OK)
        made++;
    if (error != RTG_OK) {
        while (made-- > 0)
            rtg_sem_destroy(sem[made]);
        rtg_mutex_destroy(&s->mutex);
        return rtg_error(run, error, "rtg_sem_create");
    }
    uint32_t threads = 0;
    if (rtg_spawn(run, &s->lo, rtg_role_level(RTG_LO), inversion_lo, s) && ++threads &&
        rtg_spawn(run, &s->mid, rtg_role_level(RTG_MID), inversion_mid, s) && ++threads &&
        rtg_spawn(run, &s->hi, rtg_role_level(RTG_HI), hi, s))
        return RTG_DONE;
    inversion_stop(s, threads);
    return rtg_reason(run, RTG_INVALID, "a thread could not be created");
}

#endif
