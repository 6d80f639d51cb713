/* Virtual time: what passes, what ticks and expiries add, when they come. */
#include "fake_test.h"
#include "fake_virtual.h"

static void a_stamp_costs_its_price(void)
{
    settle();
    uint64_t first = rtg_stamp_start();
    uint64_t second = rtg_stamp_stop();
    CHECK_EQUAL(second - first, fake_costs.stamp);
    CHECK_EQUAL(second, now());
}

static void work_takes_a_nanosecond_a_round(void)
{
    settle();
    uint64_t before = now();
    rtg_work(5000);
    CHECK_EQUAL(now() - before, 5000);
}

static void a_tick_takes_its_time_from_whoever_runs(void)
{
    uint64_t ticks, ticks_after;
    settle();
    rtg_os_tick(&ticks);
    uint64_t before = now();
    rtg_work(FAKE_TICK_NS);
    CHECK_EQUAL(now() - before, FAKE_TICK_NS + fake_costs.tick_interrupt);
    rtg_os_tick(&ticks_after);
    CHECK_EQUAL(ticks_after - ticks, 1);
}

static void a_sleeper_wakes_at_its_time(void)
{
    settle();
    uint64_t due = now() + 50000;
    CHECK_EQUAL(rtg_sleep_until(due), RTG_OK);
    CHECK_EQUAL(now(), due + fake_costs.timer_interrupt + fake_costs.switching);
    uint64_t before = now();
    CHECK_EQUAL(rtg_sleep_until(due), RTG_OK);
    CHECK_EQUAL(now() - before, fake_costs.sleep);
}

static void a_relative_sleep_counts_from_its_call(void)
{
    settle();
    uint64_t before = now();
    CHECK_EQUAL(rtg_sleep_for(50000), RTG_OK);
    CHECK_EQUAL(now() - before,
                fake_costs.sleep + 50000 + fake_costs.timer_interrupt + fake_costs.switching);
    before = now();
    CHECK_EQUAL(rtg_sleep_for(0), RTG_OK);
    CHECK_EQUAL(now() - before, fake_costs.sleep);
}

static void a_tick_at_the_same_instant_comes_first(void)
{
    settle();
    uint64_t due = now() / FAKE_TICK_NS * FAKE_TICK_NS + FAKE_TICK_NS;
    rtg_sleep_until(due);
    CHECK_EQUAL(now(), due + fake_costs.tick_interrupt + fake_costs.timer_interrupt +
                           fake_costs.switching);
}

static uint64_t common_due;

static void wake_at_common_due(void *arg)
{
    rtg_sleep_until(common_due);
    mark_arg(arg);
}

static void equals_wake_in_the_order_of_their_calls(void)
{
    struct rtg_thread t[2];
    settle();
    common_due = now() + 100000;
    start(&t[0], MID, wake_at_common_due, "1");
    start(&t[1], MID, wake_at_common_due, "2");
    join(t, 2);
    CHECK_TEXT(marks(), "12");
}

static void wake_at(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg);
    mark('H');
}

static void a_wake_up_interrupts_work(void)
{
    struct rtg_thread t;
    settle();
    uint64_t due = now() + 50000;
    start(&t, TOP + 1, wake_at, &due);
    uint64_t before = now();
    rtg_work(100000);
    CHECK_TEXT(marks(), "H");
    CHECK_EQUAL(now() - before, 100000 + fake_costs.timer_interrupt + 2 * fake_costs.switching +
                                    fake_costs.terminate);
    join(&t, 1);
}

static void a_lower_sleeper_only_costs_the_interrupt(void)
{
    struct rtg_thread t;
    settle();
    uint64_t due = now() + 90000;
    start(&t, LO, wake_at, &due);
    rtg_sleep_for(20000);
    uint64_t before = now();
    rtg_work(100000);
    CHECK_EQUAL(now() - before, 100000 + fake_costs.timer_interrupt);
    CHECK_TEXT(marks(), "");
    join(&t, 1);
    CHECK_TEXT(marks(), "H");
}

/* ---- timers ---- */

static void a_timer_expires_at_every_period(void)
{
    struct rtg_timer t;
    uint64_t n = 0;
    settle();
    uint64_t first = now() + 100000;
    CHECK_EQUAL(rtg_timer_create(&t, first, 200000), RTG_OK);
    for (uint64_t k = 0; k < 3; k++) {
        CHECK_EQUAL(rtg_timer_wait(&t, &n), RTG_OK);
        CHECK_EQUAL(n, 1);
        CHECK_EQUAL(now(), first + k * 200000 + fake_costs.timer_interrupt + fake_costs.switching);
    }
    CHECK_EQUAL(rtg_timer_destroy(&t), RTG_OK);
    CHECK_EQUAL(rtg_timer_wait(&t, &n), RTG_EINVAL);
}

static void expiries_are_counted_while_the_owner_works(void)
{
    struct rtg_timer t;
    uint64_t n = 0;
    settle();
    uint64_t before = now();
    rtg_timer_create(&t, before + 100000, 200000);
    rtg_work(600000);
    CHECK_EQUAL(now() - before, fake_costs.timer_new + 600000 + 3 * fake_costs.timer_interrupt);
    rtg_timer_wait(&t, &n);
    CHECK_EQUAL(n, 3);
    rtg_timer_destroy(&t);
}

static void expiries_of_the_past_come_together(void)
{
    struct rtg_timer t;
    uint64_t n = 0;
    settle();
    rtg_timer_create(&t, now() - 1000000, 100000);
    rtg_timer_wait(&t, &n);
    CHECK_EQUAL(n, 11);
    rtg_timer_destroy(&t);
}

static struct rtg_timer shared;

static void wait_as_stranger(void *arg)
{
    uint64_t n;
    *(int *)arg = rtg_timer_wait(&shared, &n);
}

static void only_its_owner_waits_for_a_timer(void)
{
    struct rtg_thread t;
    int result = -1;
    rtg_timer_create(&shared, now() + 100000, 100000);
    start(&t, TOP + 1, wait_as_stranger, &result);
    CHECK_EQUAL(result, RTG_EINVAL);
    join(&t, 1);
    rtg_timer_destroy(&shared);
    CHECK_EQUAL(rtg_timer_create(&shared, now(), 0), RTG_EINVAL);
}

/* ---- clocks ---- */

static void the_clocks_of_the_system(void)
{
    struct rtg_os_clock fine, coarse, none;
    CHECK_EQUAL(rtg_os_clock(0, &fine), RTG_OK);
    CHECK_EQUAL(rtg_os_clock(1, &coarse), RTG_OK);
    CHECK_EQUAL(rtg_os_clock(2, &none), RTG_ENOSUP);
    CHECK_TEXT(fine.name, "fake-monotonic");
    CHECK_TEXT(coarse.name, "fake-coarse");
    CHECK_EQUAL(fine.resolution_ns, 1);
    CHECK_EQUAL(coarse.resolution_ns, FAKE_TICK_NS);
    settle();
    uint64_t seen = coarse.read();
    CHECK_EQUAL(seen % FAKE_TICK_NS, 0);
    CHECK(now() - seen < FAKE_TICK_NS);
    uint64_t before = now();
    CHECK_EQUAL(fine.read(), before + fake_costs.os_now);
}

static void the_time_of_day_has_two_ways(void)
{
    settle();
    uint64_t first = rtg_time_of_day_syscall();
    uint64_t second = rtg_time_of_day_user();
    CHECK_EQUAL(second - first, fake_costs.os_now);
    CHECK_EQUAL(rtg_time_of_day_syscall() - second, fake_costs.syscall);
}

void fake_time_tests(void)
{
    a_stamp_costs_its_price();
    work_takes_a_nanosecond_a_round();
    a_tick_takes_its_time_from_whoever_runs();
    a_sleeper_wakes_at_its_time();
    a_relative_sleep_counts_from_its_call();
    a_tick_at_the_same_instant_comes_first();
    equals_wake_in_the_order_of_their_calls();
    a_wake_up_interrupts_work();
    a_lower_sleeper_only_costs_the_interrupt();
    a_timer_expires_at_every_period();
    expiries_are_counted_while_the_owner_works();
    expiries_of_the_past_come_together();
    only_its_owner_waits_for_a_timer();
    the_clocks_of_the_system();
    the_time_of_day_has_two_ways();
}
