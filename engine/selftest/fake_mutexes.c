/* Mutexes: owners, ceilings, order of waiters, and what each costs. */
#include "fake_test.h"

static struct rtg_mutex m1, m2;

static void make(struct rtg_mutex *m, enum rtg_protocol protocol, uint32_t ceiling)
{
    struct rtg_mutex_spec spec = {
        .kind = RTG_MUTEX, .protocol = protocol, .ceiling = ceiling, .recursive = false};
    CHECK_EQUAL(rtg_mutex_create(m, &spec), RTG_OK);
}

static void free_ones_cost_the_call(void)
{
    make(&m1, RTG_INHERIT, 0);
    settle();
    uint64_t before = now();
    rtg_mutex_lock(&m1);
    rtg_mutex_unlock(&m1);
    CHECK_EQUAL(now() - before, 2 * fake_costs.mutex);
    rtg_mutex_destroy(&m1);
}

static void unlock_as_stranger(void *arg)
{
    *(int *)arg = rtg_mutex_unlock(&m1);
}

static void only_the_owner_unlocks(void)
{
    struct rtg_thread t;
    int result = -1;
    make(&m1, RTG_NONE, 0);
    CHECK_EQUAL(rtg_mutex_unlock(&m1), RTG_EFAIL);
    rtg_mutex_lock(&m1);
    CHECK_EQUAL(rtg_mutex_lock(&m1), RTG_EFAIL);
    CHECK_EQUAL(rtg_mutex_try(&m1), RTG_EBUSY);
    start(&t, TOP + 1, unlock_as_stranger, &result);
    CHECK_EQUAL(result, RTG_EFAIL);
    CHECK_EQUAL(rtg_mutex_destroy(&m1), RTG_EBUSY);
    CHECK_EQUAL(rtg_mutex_unlock(&m1), RTG_OK);
    CHECK_EQUAL(rtg_mutex_destroy(&m1), RTG_OK);
    CHECK_EQUAL(rtg_mutex_lock(&m1), RTG_EINVAL);
    join(&t, 1);
}

static void try_and_note(void *arg)
{
    *(int *)arg = rtg_mutex_try(&m1);
}

static void recursive_ones_count(void)
{
    struct rtg_thread t;
    int result = -1;
    struct rtg_mutex_spec spec = {.kind = RTG_NATIVE, .protocol = RTG_INHERIT, .recursive = true};
    CHECK_EQUAL(rtg_mutex_create(&m1, &spec), RTG_OK);
    CHECK_EQUAL(rtg_mutex_lock(&m1), RTG_OK);
    CHECK_EQUAL(rtg_mutex_lock(&m1), RTG_OK);
    CHECK_EQUAL(rtg_mutex_unlock(&m1), RTG_OK);
    start(&t, TOP + 1, try_and_note, &result);
    CHECK_EQUAL(result, RTG_EBUSY);
    CHECK_EQUAL(rtg_mutex_unlock(&m1), RTG_OK);
    CHECK_EQUAL(rtg_mutex_unlock(&m1), RTG_EFAIL);
    join(&t, 1);
    rtg_mutex_destroy(&m1);
}

/* ---- ceilings ---- */

static void ceilings_raise_at_once(void)
{
    struct rtg_thread t;
    make(&m1, RTG_PROTECT, TOP + 2);
    rtg_mutex_lock(&m1);
    start(&t, TOP + 1, mark_arg, "o");
    mark('i');
    rtg_mutex_unlock(&m1);
    mark('c');
    join(&t, 1);
    CHECK_TEXT(marks(), "ioc");
    rtg_mutex_destroy(&m1);
}

static void nested_ceilings(void)
{
    struct rtg_thread t;
    make(&m1, RTG_PROTECT, TOP + 2);
    make(&m2, RTG_PROTECT, TOP);
    rtg_mutex_lock(&m1);
    CHECK_EQUAL(rtg_mutex_lock(&m2), RTG_OK); /* its own level is not above */
    start(&t, TOP + 1, mark_arg, "o");
    rtg_mutex_unlock(&m2);
    mark('i');
    rtg_mutex_unlock(&m1);
    join(&t, 1);
    CHECK_TEXT(marks(), "io");
    rtg_mutex_destroy(&m1);
    rtg_mutex_destroy(&m2);
}

static void above_the_ceiling_is_refused(void)
{
    struct rtg_mutex_spec spec = {.protocol = RTG_PROTECT, .ceiling = rtg_level_count()};
    CHECK_EQUAL(rtg_mutex_create(&m1, &spec), RTG_EINVAL);
    make(&m1, RTG_PROTECT, TOP - 1);
    CHECK_EQUAL(rtg_mutex_lock(&m1), RTG_EINVAL);
    CHECK_EQUAL(rtg_mutex_try(&m1), RTG_EINVAL);
    CHECK_EQUAL(rtg_mutex_destroy(&m1), RTG_OK);
}

/* ---- the highest waiter gets it, equals in the order of arrival ---- */

static void lock_and_mark(void *arg)
{
    rtg_mutex_lock(&m1);
    mark_arg(arg);
    rtg_mutex_unlock(&m1);
}

static void the_highest_waiter_gets_it(void)
{
    static const struct {
        uint32_t level;
        char name[2];
    } who[4] = {{LO, "a"}, {MID, "b"}, {MID, "c"}, {HI, "d"}};
    struct rtg_thread t[4];
    make(&m1, RTG_NONE, 0);
    rtg_mutex_lock(&m1);
    for (unsigned i = 0; i < 4; i++) {
        start(&t[i], who[i].level, lock_and_mark, (void *)(uintptr_t)who[i].name);
        settle();
    }
    rtg_mutex_unlock(&m1);
    join(t, 4);
    CHECK_TEXT(marks(), "dbca");
    rtg_mutex_destroy(&m1);
}

static uint64_t asked_at, ran_at, released_at, got_at;

static void ask(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg);
    asked_at = now();
    rtg_mutex_lock(&m1);
    got_at = now();
    rtg_mutex_unlock(&m1);
}

static void hold_until_asked(void *arg)
{
    (void)arg;
    rtg_mutex_lock(&m1);
    while (asked_at == 0) {
        rtg_cpu_relax();
        ran_at = now();
    }
    released_at = now();
    rtg_mutex_unlock(&m1);
}

static void contention_costs_blocking_waking_and_switches(void)
{
    struct rtg_thread t[2];
    make(&m1, RTG_INHERIT, 0);
    settle();
    uint64_t when = now() + 50000;
    asked_at = 0;
    start(&t[0], HI, ask, &when);
    start(&t[1], LO, hold_until_asked, NULL);
    join(t, 2);
    /* HI comes in the middle of a poll of LO, or at its end */
    uint64_t acquire = ran_at - asked_at;
    uint64_t least = fake_costs.mutex + fake_costs.block + fake_costs.switching;
    CHECK(acquire >= least && acquire <= least + fake_costs.poll);
    CHECK_EQUAL(got_at - released_at, fake_costs.mutex + fake_costs.wake + fake_costs.switching);
    rtg_mutex_destroy(&m1);
}

void fake_mutex_tests(void)
{
    free_ones_cost_the_call();
    only_the_owner_unlocks();
    recursive_ones_count();
    ceilings_raise_at_once();
    nested_ceilings();
    above_the_ceiling_is_refused();
    the_highest_waiter_gets_it();
    contention_costs_blocking_waking_and_switches();
}
