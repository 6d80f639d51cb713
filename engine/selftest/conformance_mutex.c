/* Mutexes of each kind and protocol. */
#include <stddef.h>

#include "conformance.h"

static struct rtg_mutex mutex;

static const char *const without[2][3] = {
    {"mutexes with inheritance are not supported", "mutexes with a ceiling are not supported",
     "mutexes without a protocol are not supported"},
    {"native mutexes with inheritance are not supported",
     "native mutexes with a ceiling are not supported",
     "native mutexes without a protocol are not supported"},
};

/* Creates one, or names it once as skipped. */
static bool make(enum rtg_mutex_kind kind, enum rtg_protocol protocol, uint32_t ceiling,
                 bool recursive)
{
    static bool named[2][3];
    struct rtg_mutex_spec spec = {
        .kind = kind, .protocol = protocol, .ceiling = ceiling, .recursive = recursive};
    int result = rtg_mutex_create(&mutex, &spec);
    if (result == RTG_ENOSUP) {
        if (!named[kind][protocol])
            check_skipped("rtg_mutex_create", without[kind][protocol]);
        named[kind][protocol] = true;
        return false;
    }
    CHECK_EQUAL(result, RTG_OK);
    return result == RTG_OK;
}

static void for_each_form(bool recursive, void (*check)(enum rtg_protocol protocol))
{
    for (unsigned kind = RTG_MUTEX; kind <= RTG_NATIVE; kind++)
        for (unsigned protocol = RTG_INHERIT; protocol <= RTG_NONE; protocol++) {
            if (!make((enum rtg_mutex_kind)kind, (enum rtg_protocol)protocol, conf_level(3),
                      recursive))
                continue;
            check((enum rtg_protocol)protocol);
            CHECK_EQUAL(rtg_mutex_destroy(&mutex), RTG_OK);
        }
}

struct outcome {
    int tried, limited;
    bool early;
};

static void contend(void *arg)
{
    struct outcome *outcome = arg;
    uint64_t due = rtg_os_now() + 3000000;
    outcome->tried = rtg_mutex_try(&mutex);
    outcome->limited = rtg_mutex_lock_until(&mutex, due);
    outcome->early = rtg_os_now() < due;
}

static void excludes_others(enum rtg_protocol protocol)
{
    struct rtg_thread t;
    struct outcome outcome = {RTG_OK, RTG_OK, true};
    (void)protocol;
    CHECK_EQUAL(rtg_mutex_lock(&mutex), RTG_OK);
    conf_start(&t, 0, contend, &outcome);
    CHECK_EQUAL(rtg_thread_join(&t), RTG_OK);
    CHECK_EQUAL(rtg_mutex_unlock(&mutex), RTG_OK);
    CHECK_EQUAL(outcome.tried, RTG_EBUSY);
    CHECK_EQUAL(outcome.limited, RTG_ETIMEOUT);
    CHECK(!outcome.early);
    CHECK_EQUAL(rtg_mutex_try(&mutex), RTG_OK);
    CHECK_EQUAL(rtg_mutex_unlock(&mutex), RTG_OK);
    CHECK_EQUAL(rtg_mutex_lock_until(&mutex, 0), RTG_OK); /* free: the limit does not matter */
    CHECK_EQUAL(rtg_mutex_unlock(&mutex), RTG_OK);
}

static void counts_its_owner(enum rtg_protocol protocol)
{
    struct rtg_thread t;
    struct outcome outcome = {RTG_OK, RTG_OK, true};
    (void)protocol;
    CHECK_EQUAL(rtg_mutex_lock(&mutex), RTG_OK);
    CHECK_EQUAL(rtg_mutex_lock(&mutex), RTG_OK);
    CHECK_EQUAL(rtg_mutex_unlock(&mutex), RTG_OK);
    conf_start(&t, 0, contend, &outcome);
    CHECK_EQUAL(rtg_thread_join(&t), RTG_OK);
    CHECK_EQUAL(outcome.tried, RTG_EBUSY);
    CHECK_EQUAL(rtg_mutex_unlock(&mutex), RTG_OK);
}

static void lock_and_mark(void *arg)
{
    CHECK_EQUAL(rtg_mutex_lock(&mutex), RTG_OK);
    conf_mark_arg(arg);
    CHECK_EQUAL(rtg_mutex_unlock(&mutex), RTG_OK);
}

static void lock_in_time(void *arg)
{
    CHECK_EQUAL(rtg_mutex_lock_until(&mutex, rtg_os_now() + 1000000000), RTG_OK);
    conf_mark_arg(arg);
    CHECK_EQUAL(rtg_mutex_unlock(&mutex), RTG_OK);
}

/* Waiters arrive from low to high; one of them with a limit that is not reached. Under a
 * ceiling some systems (glibc) lift the waiters too, which then stand in their order. */
static void goes_to_the_highest(enum rtg_protocol protocol)
{
    struct rtg_thread t[3];
    static const rtg_entry entries[3] = {lock_and_mark, lock_in_time, lock_and_mark};
    static const char names[3][2] = {"a", "b", "c"};
    CHECK_EQUAL(rtg_mutex_lock(&mutex), RTG_OK);
    for (unsigned i = 0; i < 3; i++) {
        conf_start(&t[i], i, entries[i], (void *)(uintptr_t)names[i]);
        conf_let_others_run();
    }
    CHECK_TEXT(conf_marks(), "");
    CHECK_EQUAL(rtg_mutex_unlock(&mutex), RTG_OK);
    conf_join(t, 3);
    const char *order = conf_marks();
    CHECK_TEXT(order, protocol == RTG_PROTECT && order[0] == 'a' ? "abc" : "cba");
}

/* ---- levels ---- */

static void low(void *arg)
{
    (void)arg;
    rtg_mutex_lock(&mutex);
    conf_busy(10000000);
    conf_mark('l');
    rtg_mutex_unlock(&mutex);
    conf_mark('e'); /* back at its own level */
}

static void middle(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg + 5000000);
    conf_mark('m');
}

static void high(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg + 2500000);
    rtg_mutex_lock(&mutex);
    conf_mark('h');
    rtg_mutex_unlock(&mutex);
}

static void inverts_or_not(enum rtg_protocol protocol)
{
    struct rtg_thread t[3];
    uint64_t begin = rtg_os_now();
    conf_start(&t[0], 0, low, NULL);
    conf_start(&t[1], 1, middle, &begin);
    conf_start(&t[2], 2, high, &begin);
    conf_join(t, 3);
    CHECK_TEXT(conf_marks(), protocol == RTG_NONE ? "mlhe" : "lhme");
}

static void ceiling_refuses(void)
{
#ifdef __SANITIZE_THREAD__
    check_skipped("a ceiling", "ThreadSanitizer takes a refused lock for an unknown mutex");
    return;
#endif
    struct rtg_mutex_spec spec = {
        .kind = RTG_MUTEX, .protocol = RTG_PROTECT, .ceiling = rtg_level_count()};
    struct rtg_mutex other;
    if (!make(RTG_MUTEX, RTG_PROTECT, conf_level(2), false))
        return;
    CHECK_EQUAL(rtg_mutex_create(&other, &spec), RTG_EINVAL);
    CHECK_EQUAL(rtg_mutex_lock(&mutex), RTG_EINVAL);
    rtg_thread_set_level(NULL, conf_level(2), 0);
    CHECK_EQUAL(rtg_mutex_lock(&mutex), RTG_OK);
    CHECK_EQUAL(rtg_mutex_unlock(&mutex), RTG_OK);
    rtg_thread_set_level(NULL, conf_level(3), 0);
    CHECK_EQUAL(rtg_mutex_destroy(&mutex), RTG_OK);
}

static void lock_excludes(void)
{
    for_each_form(false, excludes_others);
}

static void recursive_lock_counts(void)
{
    for_each_form(true, counts_its_owner);
}

static void unlock_wakes_the_highest(void)
{
    for_each_form(false, goes_to_the_highest);
}

static void protocol_decides_the_inversion(void)
{
    for_each_form(false, inverts_or_not);
}

const struct conf_check conf_mutex_checks[] = {
    {"rtg_mutex_create rtg_mutex_destroy rtg_mutex_try rtg_mutex_lock_until", lock_excludes,
     CONF_LEVELS},
    {"rtg_mutex_lock rtg_mutex_unlock", recursive_lock_counts, CONF_LEVELS},
    {"rtg_mutex_lock rtg_mutex_lock_until rtg_mutex_unlock", unlock_wakes_the_highest, CONF_LEVELS},
    {"rtg_mutex_lock", protocol_decides_the_inversion, CONF_LEVELS},
    {"rtg_mutex_create rtg_mutex_lock", ceiling_refuses, CONF_LEVELS},
    {NULL, NULL, CONF_ANYWHERE},
};
