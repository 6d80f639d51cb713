/* Sleeping, timers and clocks. */
#include <stddef.h>

#include "conformance.h"
#include "rtgauge/clock.h"

static void os_now_never_steps_back(void)
{
    uint64_t last = rtg_os_now();
    if (last == 0 && conf_unsupported("rtg_os_now", RTG_ENOSUP))
        return;
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
    int result = rtg_sleep_until(due);
    if (conf_unsupported("rtg_sleep_until", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
    CHECK(rtg_os_now() >= due);
    CHECK_EQUAL(rtg_sleep_until(due), RTG_OK);
    CHECK_EQUAL(rtg_sleep_until(0), RTG_OK);
}

static void sleep_for_is_never_early(void)
{
    uint64_t before = rtg_os_now();
    int result = rtg_sleep_for(3000000);
    if (conf_unsupported("rtg_sleep_for", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
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

enum { PERIOD = 2000000 };

static void expires_by_its_period(struct rtg_timer *timer, uint64_t first)
{
    uint64_t total = 0, n = 0;
    for (unsigned i = 0; i < 5; i++) {
        CHECK_EQUAL(rtg_timer_wait(timer, &n), RTG_OK);
        CHECK(n >= 1);
        total += n;
        CHECK(rtg_os_now() >= first + (total - 1) * PERIOD);
    }
    conf_busy(5 * PERIOD + PERIOD / 2);
    CHECK_EQUAL(rtg_timer_wait(timer, &n), RTG_OK);
    CHECK(n >= 5);
    CHECK(rtg_os_now() >= first + (total + n - 1) * PERIOD);
    CHECK_EQUAL(rtg_timer_destroy(timer), RTG_OK);
}

static void timer_expires_by_its_period(void)
{
    struct rtg_timer timer;
    uint64_t first = rtg_os_now() + 2 * PERIOD;
    int result = rtg_timer_create(&timer, first, PERIOD);
    if (conf_unsupported("rtg_timer_create", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
    expires_by_its_period(&timer, first);
}

static void native_timer_expires_by_its_period(void)
{
    struct rtg_timer timer;
    uint64_t first = rtg_os_now() + 2 * PERIOD;
    int result = rtg_timer_create_native(&timer, first, PERIOD);
    if (conf_unsupported("rtg_timer_create_native", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
    expires_by_its_period(&timer, first);
}

/* The first is created first and expires last: neither takes the other's. */
static void timers_do_not_mix(void)
{
    struct rtg_timer timer[2];
    uint64_t begin = rtg_os_now(), n = 0;
    if (conf_unsupported("rtg_timer_create", rtg_timer_create(&timer[0], begin + 8000000, 1000000)))
        return;
    CHECK_EQUAL(rtg_timer_create(&timer[1], begin + 3000000, 1000000000), RTG_OK);
    CHECK_EQUAL(rtg_timer_wait(&timer[1], &n), RTG_OK);
    CHECK_EQUAL(n, 1);
    CHECK(rtg_os_now() >= begin + 3000000);
    CHECK_EQUAL(rtg_timer_destroy(&timer[1]), RTG_OK);
    CHECK_EQUAL(rtg_timer_wait(&timer[0], &n), RTG_OK);
    CHECK(rtg_os_now() >= begin + 8000000);
    CHECK_EQUAL(rtg_timer_destroy(&timer[0]), RTG_OK);
}

static void os_tick_counts(void)
{
    uint64_t before = 0, after = 0;
    const char *how = NULL;
    int changeable = rtg_tick_changeable(&how);
    CHECK(changeable >= -1 && changeable <= 1 && how != NULL);
    if (conf_unsupported("rtg_os_tick", rtg_os_tick(&before)))
        return;
    conf_busy(50000000);
    CHECK_EQUAL(rtg_os_tick(&after), RTG_OK);
    CHECK(after > before);
}

static void os_clocks_are_listed(void)
{
    struct rtg_os_clock clock;
    uint32_t n = 0;
    if (conf_unsupported("rtg_os_clock", rtg_os_clock(0, &clock)))
        return;
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
    bool no_syscall = conf_unsupported("rtg_time_of_day_syscall", by_kernel ? RTG_OK : RTG_ENOSUP);
    if (conf_unsupported("rtg_time_of_day_user", rtg_time_of_day_user ? RTG_OK : RTG_ENOSUP) ||
        no_syscall)
        return;
    uint64_t by_user = rtg_time_of_day_user();
    uint64_t apart = by_user > by_kernel ? by_user - by_kernel : by_kernel - by_user;
    CHECK(apart < 1000000000);
}

/* The stamp of a time lies between those read before and after it. */
static void stamps_of_times_are_exact(void)
{
#ifdef RTG_PORT_HAS_STAMP_AT
    const struct rtg_clock *clock = rtg_clocks[0];
    for (unsigned i = 0; i < 100; i++) {
        rtg_stamp_t before = clock->read();
        rtg_stamp_t at = rtg_port_stamp_at(rtg_os_now());
        rtg_stamp_t after = clock->read();
        rtg_stamp_t whole = clock->direction < 0 ? before - after : after - before;
        rtg_stamp_t part = clock->direction < 0 ? before - at : at - before;
        if (part > whole)
            CHECK(part <= whole);
    }
    CHECK(clock->read() != 0);
#else
    check_skipped("rtg_port_stamp_at", "both clocks are read");
#endif
}

const struct conf_check conf_time_checks[] = {
    {"rtg_os_now", os_now_never_steps_back, CONF_ANYWHERE},
    {"rtg_sleep_until", sleep_until_is_never_early, CONF_ANYWHERE},
    {"rtg_sleep_for", sleep_for_is_never_early, CONF_ANYWHERE},
    {"rtg_sleep_for", sleeping_lets_lower_threads_run, CONF_LEVELS},
    {"rtg_timer_create rtg_timer_wait rtg_timer_destroy", timer_expires_by_its_period,
     CONF_ANYWHERE},
    {"rtg_timer_create_native rtg_timer_wait", native_timer_expires_by_its_period, CONF_ANYWHERE},
    {"rtg_timer_create rtg_timer_wait", timers_do_not_mix, CONF_ANYWHERE},
    {"rtg_port_stamp_at", stamps_of_times_are_exact, CONF_ANYWHERE},
    {"rtg_os_tick rtg_tick_changeable", os_tick_counts, CONF_ANYWHERE},
    {"rtg_os_clock", os_clocks_are_listed, CONF_ANYWHERE},
    {"rtg_time_of_day_syscall rtg_time_of_day_user", time_of_day_has_one_value, CONF_ANYWHERE},
    {NULL, NULL, CONF_ANYWHERE},
};
