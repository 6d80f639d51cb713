/* Semaphores of each kind and name. */
#include <stddef.h>

#include "conformance.h"

static struct rtg_sem sem;

struct form {
    enum rtg_sem_kind kind;
    enum rtg_sem_name name;
    const char *text;
};
static const struct form forms[] = {
    {RTG_COUNTING, RTG_UNNAMED, "counting unnamed semaphores are not supported"},
    {RTG_COUNTING, RTG_NAMED, "counting named semaphores are not supported"},
    {RTG_BINARY, RTG_UNNAMED, "binary unnamed semaphores are not supported"},
    {RTG_BINARY, RTG_NAMED, "binary named semaphores are not supported"},
};

/* Runs a check on each form that the port has; the others are named once. */
static void for_each_form(void (*check)(const struct form *form))
{
    static bool named[sizeof forms / sizeof *forms];
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
        int result = rtg_sem_create(&sem, forms[i].kind, forms[i].name, 0);
        if (result == RTG_ENOSUP) {
            if (!named[i])
                check_skipped("rtg_sem_create", forms[i].text);
            named[i] = true;
            continue;
        }
        CHECK_EQUAL(result, RTG_OK);
        check(&forms[i]);
        CHECK_EQUAL(rtg_sem_destroy(&sem), RTG_OK);
    }
}

static uint32_t value_now(void)
{
    uint32_t value = UINT32_MAX;
    CHECK_EQUAL(rtg_sem_value(&sem, &value), RTG_OK);
    return value;
}

static void counts(const struct form *form)
{
    uint32_t more = form->kind == RTG_COUNTING ? 3 : 1;
    CHECK_EQUAL(value_now(), 0);
    for (uint32_t i = 1; i <= more; i++) {
        CHECK_EQUAL(rtg_sem_release(&sem), RTG_OK);
        CHECK_EQUAL(value_now(), i);
    }
    CHECK_EQUAL(rtg_sem_acquire(&sem), RTG_OK);
    for (uint32_t i = 1; i < more; i++)
        CHECK_EQUAL(rtg_sem_try(&sem), RTG_OK);
    CHECK_EQUAL(rtg_sem_try(&sem), RTG_EBUSY);
    CHECK_EQUAL(value_now(), 0);
}

static void initial_value_and_maximum(const struct form *form)
{
    uint32_t max = rtg_sem_max(form->kind);
    struct rtg_sem full;
    CHECK(form->kind == RTG_BINARY ? max == 1 : max >= 255);
    if (max < UINT32_MAX)
        CHECK_EQUAL(rtg_sem_create(&full, form->kind, form->name, max + 1), RTG_EINVAL);
    CHECK_EQUAL(rtg_sem_create(&full, form->kind, form->name, max), RTG_OK);
    CHECK_EQUAL(rtg_sem_release(&full), RTG_EFULL);
    CHECK_EQUAL(rtg_sem_acquire(&full), RTG_OK);
    CHECK_EQUAL(rtg_sem_release(&full), RTG_OK);
    CHECK_EQUAL(rtg_sem_destroy(&full), RTG_OK);
}

static void time_limit(const struct form *form)
{
    (void)form;
    uint64_t due = rtg_os_now() + 3000000;
    CHECK_EQUAL(rtg_sem_acquire_until(&sem, due), RTG_ETIMEOUT);
    CHECK(rtg_os_now() >= due);
    CHECK_EQUAL(rtg_sem_acquire_until(&sem, due), RTG_ETIMEOUT);
    CHECK_EQUAL(rtg_sem_release(&sem), RTG_OK);
    CHECK_EQUAL(rtg_sem_acquire_until(&sem, due), RTG_OK);
    CHECK_EQUAL(value_now(), 0);
}

static void acquire_and_mark(void *arg)
{
    CHECK_EQUAL(rtg_sem_acquire(&sem), RTG_OK);
    conf_mark_arg(arg);
}

/* Waiters arrive from low to high, so that order of arrival cannot pass. */
static void highest_waiter_first(const struct form *form)
{
    struct rtg_thread t[4];
    static const unsigned roles[4] = {0, 1, 1, 2};
    static const char names[4][2] = {"a", "b", "c", "d"};
    (void)form;
    for (unsigned i = 0; i < 4; i++) {
        conf_start(&t[i], roles[i], acquire_and_mark, (void *)(uintptr_t)names[i]);
        conf_let_others_run();
    }
    CHECK_TEXT(conf_marks(), "");
    for (unsigned i = 0; i < 4; i++) {
        CHECK_EQUAL(rtg_sem_release(&sem), RTG_OK);
        conf_let_others_run();
    }
    conf_join(t, 4);
    CHECK_TEXT(conf_marks(), "dbca");
}

static void acquire_in_time(void *arg)
{
    CHECK_EQUAL(rtg_sem_acquire_until(&sem, rtg_os_now() + 1000000000), RTG_OK);
    conf_mark_arg(arg);
}

static void waiter_with_a_limit_is_released(const struct form *form)
{
    struct rtg_thread t;
    (void)form;
    conf_start(&t, 1, acquire_in_time, "w");
    conf_let_others_run();
    conf_mark('c');
    CHECK_EQUAL(rtg_sem_release(&sem), RTG_OK);
    conf_join(&t, 1);
    CHECK_TEXT(conf_marks(), "cw");
    CHECK_EQUAL(value_now(), 0);
}

static void release_pre_empts(const struct form *form)
{
    struct rtg_thread t;
    (void)form;
    rtg_thread_set_level(NULL, conf_level(1), 0);
    conf_start(&t, 2, acquire_and_mark, "w");
    conf_mark('c');
    CHECK_EQUAL(rtg_sem_release(&sem), RTG_OK);
    conf_mark('c');
    rtg_thread_set_level(NULL, conf_level(3), 0);
    conf_join(&t, 1);
    CHECK_TEXT(conf_marks(), "cwc");
}

static void value_counts(void)
{
    for_each_form(counts);
}

static void create_takes_any_initial_value(void)
{
    for_each_form(initial_value_and_maximum);
}

static void acquire_until_ends_when_due(void)
{
    for_each_form(time_limit);
}

static void acquire_until_is_released_before(void)
{
    for_each_form(waiter_with_a_limit_is_released);
}

static void release_takes_the_highest(void)
{
    for_each_form(highest_waiter_first);
}

static void release_to_a_higher_one_pre_empts(void)
{
    for_each_form(release_pre_empts);
}

const struct conf_check conf_sem_checks[] = {
    {"rtg_sem_acquire rtg_sem_try rtg_sem_value rtg_sem_release", value_counts, CONF_ANYWHERE},
    {"rtg_sem_create rtg_sem_max rtg_sem_destroy", create_takes_any_initial_value, CONF_ANYWHERE},
    {"rtg_sem_acquire_until", acquire_until_ends_when_due, CONF_ANYWHERE},
    {"rtg_sem_acquire_until", acquire_until_is_released_before, CONF_LEVELS},
    {"rtg_sem_release rtg_sem_acquire", release_takes_the_highest, CONF_LEVELS},
    {"rtg_sem_release", release_to_a_higher_one_pre_empts, CONF_LEVELS},
    {NULL, NULL, CONF_ANYWHERE},
};
