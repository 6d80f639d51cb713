/* Sleeping, timers and clocks. */
#include <stddef.h>

#include "conformance.h"

static void os_now_never_steps_back(void)
{
    uint64_t last = rtg_os_now();
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t next = rtg_os_now();
        if (next < last)
            CHECK(next >= last);
        last = next;
    }
    CHECK(last > 0);
}

static void sleep_until_is_never_early(void)
{
    uint64_t due = rtg_os_now() + 3000000;
    CHECK_EQUAL(rtg_sleep_until(due), RTG_OK);
    CHECK(rtg_os_now() >= due);
    CHECK_EQUAL(rtg_sleep_until(due), RTG_OK);
    CHECK_EQUAL(rtg_sleep_until(0), RTG_OK);
}

static void sleep_for_is_never_early(void)
{
    uint64_t before = rtg_os_now();
    CHECK_EQUAL(rtg_sleep_for(3000000), RTG_OK);
    CHECK(rtg_os_now() >= before + 3000000);
    CHECK_EQUAL(rtg_sleep_for(0), RTG_OK);
}

static void sleeping_lets_lower_threads_run(void)
{
    struct rtg_thread t;
    conf_start(&t, 0, conf_mark_arg, "l");
    conf_mark('c');
    rtg_sleep_for(3000000);
    conf_mark('c');
    conf_join(&t, 1);
    CHECK_TEXT(conf_marks(), "clc");
}

static void timer_expires_by_its_period(void)
{
    enum { PERIOD = 2000000 };
    struct rtg_timer timer;
    uint64_t first = rtg_os_now() + 2 * PERIOD, total = 0, n = 0;
    int result = rtg_timer_create(&timer, first, PERIOD);
    if (result == RTG_ENOSUP) {
        check_skipped("rtg_timer_create", "not supported");
        return;
    }
    CHECK_EQUAL(result, RTG_OK);
    for (unsigned i = 0; i < 5; i++) {
        CHECK_EQUAL(rtg_timer_wait(&timer, &n), RTG_OK);
        CHECK(n >= 1);
        total += n;
        CHECK(rtg_os_now() >= first + (total - 1) * PERIOD);
    }
    conf_busy(5 * PERIOD + PERIOD / 2);
    CHECK_EQUAL(rtg_timer_wait(&timer, &n), RTG_OK);
    CHECK(n >= 5);
    CHECK(rtg_os_now() >= first + (total + n - 1) * PERIOD);
    CHECK_EQUAL(rtg_timer_destroy(&timer), RTG_OK);
}

static void os_tick_counts(void)
{
    uint64_t before = 0, after = 0;
    const char *how = NULL;
    int changeable = rtg_tick_changeable(&how);
    CHECK(changeable >= -1 && changeable <= 1 && how != NULL);
    if (rtg_os_tick(&before) == RTG_ENOSUP) {
        check_skipped("rtg_os_tick", "not supported");
        return;
    }
    conf_busy(50000000);
    CHECK_EQUAL(rtg_os_tick(&after), RTG_OK);
    CHECK(after > before);
}

static void os_clocks_are_listed(void)
{
    struct rtg_os_clock clock;
    uint32_t n = 0;
    while (n < 64 && rtg_os_clock(n, &clock) == RTG_OK) {
        CHECK(clock.name != NULL && clock.name[0] != 0);
        CHECK(clock.resolution_ns > 0);
        uint64_t first = clock.read();
        CHECK(clock.read() >= first);
        n++;
    }
    CHECK(n >= 1 && n < 64);
    CHECK_EQUAL(rtg_os_clock(n, &clock), RTG_ENOSUP);
}

static void time_of_day_has_one_value(void)
{
    uint64_t by_kernel = rtg_time_of_day_syscall();
    CHECK(by_kernel > 0);
    if (!rtg_time_of_day_user) {
        check_skipped("rtg_time_of_day_user", "not supported");
        return;
    }
    uint64_t by_user = rtg_time_of_day_user();
    uint64_t apart = by_user > by_kernel ? by_user - by_kernel : by_kernel - by_user;
    CHECK(apart < 1000000000);
}

const conf_check conf_time_checks[] = {
    os_now_never_steps_back,
    sleep_until_is_never_early,
    sleep_for_is_never_early,
    sleeping_lets_lower_threads_run,
    timer_expires_by_its_period,
    os_tick_counts,
    os_clocks_are_listed,
    time_of_day_has_one_value,
    NULL,
};
