/* Who runs: order, pre-emption, slices, and what a switch costs. */
#include "fake_test.h"

static void a_lower_thread_waits_for_its_creator(void)
{
    struct rtg_thread t;
    start(&t, LO, mark_arg, "l");
    mark('c');
    join(&t, 1);
    CHECK_TEXT(marks(), "cl");
}

static void a_higher_thread_runs_at_once(void)
{
    struct rtg_thread t;
    start(&t, TOP + 1, mark_arg, "h");
    mark('c');
    join(&t, 1);
    CHECK_TEXT(marks(), "hc");
}

static void equal_threads_run_in_the_order_of_their_creation(void)
{
    struct rtg_thread t[3];
    start(&t[0], TOP, mark_arg, "1");
    start(&t[1], TOP, mark_arg, "2");
    start(&t[2], TOP, mark_arg, "3");
    mark('c');
    rtg_thread_yield();
    mark('c');
    join(t, 3);
    CHECK_TEXT(marks(), "c123c");
}

static void threads_run_by_level(void)
{
    struct rtg_thread t[4];
    start_as(&t[0], RTG_NORMAL, 0, mark_arg, "n");
    start(&t[1], 0, mark_arg, "0");
    start(&t[2], HI, mark_arg, "h");
    start(&t[3], MID, mark_arg, "m");
    join(t, 4);
    CHECK_TEXT(marks(), "hm0n");
}

static void yield_alone_goes_on(void)
{
    settle();
    uint64_t before = now();
    rtg_thread_yield();
    CHECK_EQUAL(now() - before, fake_costs.yield);
}

static uint64_t left_at, came_at;

static void note_arrival(void *arg)
{
    (void)arg;
    came_at = now();
}

static void a_yield_to_another_costs_a_yield_and_a_switch(void)
{
    struct rtg_thread t;
    settle();
    start(&t, TOP, note_arrival, NULL);
    left_at = now();
    rtg_thread_yield();
    CHECK_EQUAL(came_at - left_at, fake_costs.yield + fake_costs.switching);
    join(&t, 1);
}

/* ---- pre-emption ---- */

static void wake_at(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg);
    mark('H');
}

static void work_and_mark(void *arg)
{
    rtg_work(300000);
    mark_arg(arg);
}

static void a_pre_empted_thread_goes_on_before_its_equals(void)
{
    struct rtg_thread t[3];
    settle();
    uint64_t due = now() + 100000;
    start(&t[0], HI, wake_at, &due);
    start(&t[1], LO, work_and_mark, "1");
    start(&t[2], LO, work_and_mark, "2");
    join(t, 3);
    CHECK_TEXT(marks(), "H12");
}

static struct rtg_sem gate;

static void wait_and_mark(void *arg)
{
    rtg_sem_acquire(&gate);
    mark_arg(arg);
}

static void release_to_an_equal_does_not_pre_empt(void)
{
    struct rtg_thread t;
    rtg_sem_create(&gate, RTG_COUNTING, RTG_UNNAMED, 0);
    start(&t, TOP, wait_and_mark, "w");
    rtg_thread_yield();
    rtg_sem_release(&gate);
    mark('c');
    join(&t, 1);
    CHECK_TEXT(marks(), "cw");
    rtg_sem_destroy(&gate);
}

static void switches_away_from_a_ready_thread_are_counted(void)
{
    struct rtg_thread t;
    struct rtg_thread_state before, after;
    rtg_thread_query(NULL, &before);
    start(&t, TOP + 1, mark_arg, "h");
    rtg_thread_query(NULL, &after);
    CHECK_EQUAL(after.involuntary - before.involuntary, 1);
    join(&t, 1);
    marks();
}

/* ---- slices ---- */

static uint64_t end_of_race;
static uint64_t first_turn[2];

static void race(void *arg)
{
    unsigned self = *(unsigned *)arg;
    uint64_t begin = 0;
    while (now() < end_of_race) {
        uint64_t before = now();
        rtg_cpu_relax();
        if (begin == 0)
            begin = before;
        if (now() - before > 5 * FAKE_TICK_NS && first_turn[self] == 0)
            first_turn[self] = before - begin;
    }
    mark((char)('0' + self));
}

static void run_race(enum rtg_policy policy)
{
    struct rtg_thread t[2];
    unsigned self[2] = {0, 1};
    settle();
    first_turn[0] = first_turn[1] = 0;
    end_of_race = now() + 100 * FAKE_TICK_NS;
    start_as(&t[0], policy, LO, race, &self[0]);
    start_as(&t[1], policy, LO, race, &self[1]);
    join(t, 2);
    marks();
}

static void round_robin_slices_end_at_the_tenth_tick(void)
{
    run_race(RTG_RR);
    CHECK(first_turn[0] > 9 * FAKE_TICK_NS && first_turn[0] <= 10 * FAKE_TICK_NS);
    CHECK(first_turn[1] > 9 * FAKE_TICK_NS && first_turn[1] <= 10 * FAKE_TICK_NS);
}

static void fifo_threads_have_no_slices(void)
{
    run_race(RTG_FIFO);
    CHECK_EQUAL(first_turn[0], 0);
    CHECK_EQUAL(first_turn[1], 0);
}

void fake_sched_tests(void)
{
    a_lower_thread_waits_for_its_creator();
    a_higher_thread_runs_at_once();
    equal_threads_run_in_the_order_of_their_creation();
    threads_run_by_level();
    yield_alone_goes_on();
    a_yield_to_another_costs_a_yield_and_a_switch();
    a_pre_empted_thread_goes_on_before_its_equals();
    release_to_an_equal_does_not_pre_empt();
    switches_away_from_a_ready_thread_are_counted();
    round_robin_slices_end_at_the_tenth_tick();
    fifo_threads_have_no_slices();
}
