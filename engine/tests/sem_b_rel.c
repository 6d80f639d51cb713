/* SEM-B-REL: which waiter a release lets go. */
#include <stdatomic.h>

#include "common/levels.h"
#include "common/semaphore.h"

enum { MOST = 8 };

struct waiter {
    struct scene *in;
    uint32_t level;
    uint64_t arrived_ns; /* stamped by the thread itself at the gate, before it asks */
    uint32_t arrived;    /* 1, 2, ...: the thread's own ticket at the same place */
    atomic_uint passed;  /* 1, 2, ...: its ticket when it has the semaphore; 0: not yet */
    struct rtg_thread thread;
};

struct scene {
    struct rtg_run *run;
    struct rtg_sem sem;
    struct waiter waiter[MOST];
    uint32_t n, made;
    atomic_uint arrivals, passes;
};

static void arrive_and_wait(void *arg)
{
    struct waiter *me = arg;
    me->arrived_ns = rtg_os_now();
    me->arrived = atomic_fetch_add(&me->in->arrivals, 1) + 1;
    if (rtg_sem_acquire(&me->in->sem) == RTG_OK)
        atomic_store(&me->passed, atomic_fetch_add(&me->in->passes, 1) + 1);
    else
        rtg_broken(me->in->run, "a waiter could not acquire the semaphore");
}

/* Creates the waiters one by one; each runs at once and must block. */
static bool gather(struct scene *s, const uint32_t *levels)
{
    for (; s->made < s->n; s->made++) {
        struct waiter *w = &s->waiter[s->made];
        w->in = s;
        w->level = levels[s->made];
        if (!rtg_spawn(s->run, &w->thread, w->level, arrive_and_wait, w)) {
            rtg_broken(s->run, "a waiter could not be created");
            return false;
        }
        if (atomic_load(&s->arrivals) != s->made + 1 || atomic_load(&s->passes) != 0)
            rtg_broken(s->run, "a waiter did not arrive and block when it was created");
        if (s->made > 0 && w->arrived_ns < s->waiter[s->made - 1].arrived_ns)
            rtg_broken(s->run, "the stamps at the gate contradict the order of arrival");
    }
    return true;
}

/* Releases the rest one by one; each must let exactly one waiter run. */
static void let_go(struct scene *s)
{
    for (uint32_t i = atomic_load(&s->passes); i < s->made; i++) {
        rtg_sem_release(&s->sem);
        if (atomic_load(&s->passes) != i + 1)
            rtg_broken(s->run, "a release did not let exactly one waiter run");
    }
    for (uint32_t i = 0; i < s->made; i++)
        rtg_thread_join(&s->waiter[i].thread);
    rtg_sem_destroy(&s->sem);
}

static bool play(struct rtg_run *run, struct scene *s, const uint32_t *levels, uint32_t n)
{
    *s = (struct scene){.run = run, .n = n};
    if (make_sem(run, &s->sem, 0) != RTG_OK) {
        rtg_broken(run, "the semaphore could not be created");
        return false;
    }
    bool whole = gather(s, levels);
    let_go(s);
    return whole;
}

/* ---- orders, over every pair of waiters ---------------------------------- */

typedef bool (*before_fn)(const struct waiter *a, const struct waiter *b);

static bool higher(const struct waiter *a, const struct waiter *b)
{
    return a->level > b->level;
}

static bool earlier(const struct waiter *a, const struct waiter *b)
{
    return a->arrived < b->arrived;
}

static bool later(const struct waiter *a, const struct waiter *b)
{
    return a->arrived > b->arrived;
}

static bool higher_then_earlier(const struct waiter *a, const struct waiter *b)
{
    return higher(a, b) || (a->level == b->level && earlier(a, b));
}

/* True when whoever should come first was let go first. */
static bool follows(const struct scene *s, before_fn before)
{
    for (uint32_t i = 0; i < s->n; i++) {
        for (uint32_t k = 0; k < s->n; k++) {
            if (before(&s->waiter[i], &s->waiter[k]) &&
                atomic_load(&s->waiter[i].passed) > atomic_load(&s->waiter[k].passed))
                return false;
        }
    }
    return true;
}

/* ---- the scenes ----------------------------------------------------------- */

/* Arrivals from the lowest to the highest level. */
static void check_rising(struct rtg_run *run)
{
    struct scene s;
    uint32_t levels[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        levels[i] = level_above_driver(i, MOST);
    if (!play(run, &s, levels, MOST))
        return;
    rtg_check(run, RTG_PROPERTY, "priority", follows(&s, higher),
              "waiters that arrive from low to high are released from high to low");
    rtg_check(run, RTG_REPORT, "first-come", follows(&s, earlier),
              "waiters that arrive from low to high are released in the order of arrival");
}

static void check_equal(struct rtg_run *run)
{
    struct scene s;
    uint32_t levels[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        levels[i] = rtg_role_level(RTG_MID);
    if (!play(run, &s, levels, MOST))
        return;
    rtg_check(run, RTG_PROPERTY, "equal-first-come", follows(&s, earlier),
              "waiters of equal level are released in the order of arrival");
    /* The order of the rising scene must not show where levels cannot cause it: a
     * system that releases last come, first served, would pass there by accident. */
    rtg_check(run, RTG_CONTROL, "equal-last-come", follows(&s, later),
              "waiters of equal level are released in the reverse order of arrival");
}

static void check_mixed(struct rtg_run *run)
{
    struct scene s;
    uint32_t lo = rtg_role_level(RTG_LO) + 1, mid = rtg_role_level(RTG_MID) + 1;
    uint32_t hi = rtg_role_level(RTG_HI) + 1;
    uint32_t levels[MOST] = {mid, lo, hi, mid, lo, hi, mid, lo};
    if (!play(run, &s, levels, MOST))
        return;
    rtg_check(
        run, RTG_PROPERTY, "mixed", follows(&s, higher_then_earlier),
        "of waiters in mixed order the highest is released first, and of equals the earliest");
}

/* The releasing thread stands above all waiters, so none runs before it makes way:
 * the choice falls when it releases, or when the waiters compete for the CPU. */
static void check_from_above(struct rtg_run *run)
{
    struct scene s = {.run = run, .n = 4};
    uint32_t levels[MOST];
    for (uint32_t i = 0; i < s.n; i++)
        levels[i] = level_above_driver(i + 1, s.n + 1);
    if (make_sem(run, &s.sem, 0) != RTG_OK) {
        rtg_broken(run, "the semaphore could not be created");
        return;
    }
    bool whole = gather(&s, levels);
    rtg_self_level(run, rtg_role_level(RTG_TOP));
    rtg_self_level(run, rtg_role_level(RTG_LO));
    bool unreleased = atomic_load(&s.passes) != 0;
    rtg_self_level(run, rtg_role_level(RTG_TOP));
    rtg_sem_release(&s.sem);
    bool early = atomic_load(&s.passes) != 0;
    rtg_self_level(run, rtg_role_level(RTG_LO));
    bool one = atomic_load(&s.passes) == 1;
    let_go(&s);
    if (!whole)
        return;
    rtg_check(run, RTG_PROPERTY, "priority-from-above",
              one && atomic_load(&s.waiter[s.n - 1].passed) == 1,
              "one release by a thread above all waiters lets go the highest, and only that");
    rtg_check(run, RTG_CONTROL, "passes-unreleased", unreleased,
              "a waiter passes when that thread only makes way, without a release");
    rtg_check(run, RTG_CONTROL, "passes-below", early,
              "a waiter runs before the releasing thread above it has made way");
}

static enum rtg_outcome run(struct rtg_run *run)
{
    int error = try_form(run);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a semaphore");
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    rtg_self_level(run, rtg_role_level(RTG_LO));
    check_rising(run);
    check_equal(run);
    check_mixed(run);
    check_from_above(run);
    return RTG_DONE;
}

RTG_TEST(.id = "SEM-B-REL", .title = "semaphore release order",
         .question = "Is the highest waiter released first, and are equal ones released in the "
                     "order in which they arrived?",
         .needs = RTG_NEEDS_REALTIME, .about_ms = 20, .params = {PARAM_KIND, PARAM_NAME("unnamed")},
         .run = run);
