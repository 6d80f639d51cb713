/* Semaphores: who waits, who is released, and what each costs. */
#include "fake_test.h"

static struct rtg_sem sem;

static void take_and_mark(void *arg)
{
    CHECK_EQUAL(rtg_sem_acquire(&sem), RTG_OK);
    mark_arg(arg);
}

static void values_and_limits(void)
{
    uint32_t value;
    CHECK_EQUAL(rtg_sem_max(RTG_COUNTING), 0x7fffffff);
    CHECK_EQUAL(rtg_sem_max(RTG_BINARY), 1);
    CHECK_EQUAL(rtg_sem_create(&sem, RTG_BINARY, RTG_UNNAMED, 2), RTG_EINVAL);
    CHECK_EQUAL(rtg_sem_create(&sem, RTG_COUNTING, RTG_UNNAMED, 0x7fffffff), RTG_OK);
    CHECK_EQUAL(rtg_sem_release(&sem), RTG_EFULL);
    CHECK_EQUAL(rtg_sem_acquire(&sem), RTG_OK);
    CHECK_EQUAL(rtg_sem_value(&sem, &value), RTG_OK);
    CHECK_EQUAL(value, 0x7ffffffe);
    CHECK_EQUAL(rtg_sem_destroy(&sem), RTG_OK);
    CHECK_EQUAL(rtg_sem_acquire(&sem), RTG_EINVAL);
}

static void binary_ones(void)
{
    CHECK_EQUAL(rtg_sem_create(&sem, RTG_BINARY, RTG_NAMED, 1), RTG_OK);
    CHECK_EQUAL(rtg_sem_release(&sem), RTG_EFULL);
    CHECK_EQUAL(rtg_sem_try(&sem), RTG_OK);
    CHECK_EQUAL(rtg_sem_try(&sem), RTG_EBUSY);
    CHECK_EQUAL(rtg_sem_release(&sem), RTG_OK);
    CHECK_EQUAL(rtg_sem_destroy(&sem), RTG_OK);
}

static void free_ones_cost_the_call(void)
{
    rtg_sem_create(&sem, RTG_COUNTING, RTG_UNNAMED, 1);
    settle();
    uint64_t before = now();
    rtg_sem_acquire(&sem);
    rtg_sem_release(&sem);
    CHECK_EQUAL(now() - before, 2 * fake_costs.sem);
    rtg_sem_destroy(&sem);
}

static void the_highest_waiter_is_released(void)
{
    struct rtg_thread t[5];
    static const struct {
        uint32_t level;
        char name[2];
    } who[5] = {{LO, "a"}, {MID, "b"}, {MID, "c"}, {HI, "d"}, {LO, "e"}};
    rtg_sem_create(&sem, RTG_COUNTING, RTG_UNNAMED, 0);
    for (unsigned i = 0; i < 5; i++) {
        start(&t[i], who[i].level, take_and_mark, (void *)(uintptr_t)who[i].name);
        settle();
    }
    CHECK_EQUAL(rtg_sem_destroy(&sem), RTG_EBUSY);
    for (unsigned i = 0; i < 5; i++) {
        rtg_sem_release(&sem);
        settle();
    }
    CHECK_TEXT(marks(), "dbcae");
    join(t, 5);
    rtg_sem_destroy(&sem);
}

static uint64_t asked_at, got_at;

static void take_and_note(void *arg)
{
    (void)arg;
    asked_at = now();
    rtg_sem_acquire(&sem);
    got_at = now();
}

static void contention_costs_blocking_waking_and_switches(void)
{
    struct rtg_thread t;
    rtg_sem_create(&sem, RTG_COUNTING, RTG_UNNAMED, 0);
    settle();
    start(&t, TOP + 1, take_and_note, NULL);
    CHECK_EQUAL(now() - asked_at, fake_costs.sem + fake_costs.block + fake_costs.switching);
    uint64_t before = now();
    rtg_sem_release(&sem);
    CHECK_EQUAL(got_at - before, fake_costs.sem + fake_costs.wake + fake_costs.switching);
    join(&t, 1);
    rtg_sem_destroy(&sem);
}

static void a_time_limit_ends_the_waiting(void)
{
    uint32_t value;
    rtg_sem_create(&sem, RTG_COUNTING, RTG_UNNAMED, 0);
    settle();
    uint64_t due = now() + 50000;
    CHECK_EQUAL(rtg_sem_acquire_until(&sem, due), RTG_ETIMEOUT);
    CHECK_EQUAL(now(), due + fake_costs.timer_interrupt + fake_costs.switching);
    CHECK_EQUAL(rtg_sem_acquire_until(&sem, due), RTG_ETIMEOUT);
    CHECK_EQUAL(rtg_sem_release(&sem), RTG_OK);
    CHECK_EQUAL(rtg_sem_acquire_until(&sem, due), RTG_OK);
    CHECK_EQUAL(rtg_sem_value(&sem, &value), RTG_OK);
    CHECK_EQUAL(value, 0);
    CHECK_EQUAL(rtg_sem_destroy(&sem), RTG_OK);
}

/* A waiter that becomes ready goes behind its equals that are ready already. */
static void a_released_waiter_goes_to_the_tail(void)
{
    struct rtg_thread t[2];
    rtg_sem_create(&sem, RTG_COUNTING, RTG_UNNAMED, 0);
    start(&t[0], MID, take_and_mark, "w");
    settle();
    start(&t[1], MID, mark_arg, "r");
    rtg_sem_release(&sem);
    join(t, 2);
    CHECK_TEXT(marks(), "rw");
    rtg_sem_destroy(&sem);
}

static void release_later(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg);
    rtg_sem_release(&sem);
}

static void a_release_ends_a_limited_wait(void)
{
    struct rtg_thread t;
    rtg_sem_create(&sem, RTG_COUNTING, RTG_UNNAMED, 0);
    settle();
    uint64_t when = now() + 50000;
    start(&t, HI, release_later, &when);
    CHECK_EQUAL(rtg_sem_acquire_until(&sem, now() + 200000), RTG_OK);
    CHECK(now() < when + 10000);
    rtg_sleep_for(400000); /* the time limit is no more: nothing comes of it */
    CHECK_EQUAL(rtg_sem_try(&sem), RTG_EBUSY);
    join(&t, 1);
    rtg_sem_destroy(&sem);
}

void fake_sem_tests(void)
{
    values_and_limits();
    binary_ones();
    free_ones_cost_the_call();
    the_highest_waiter_is_released();
    contention_costs_blocking_waking_and_switches();
    a_released_waiter_goes_to_the_tail();
    a_time_limit_ends_the_waiting();
    a_release_ends_a_limited_wait();
}
