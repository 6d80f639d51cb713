/* Threads: create, join, delete, yield. */
#include <stdatomic.h>
#include <stddef.h>

#include "conformance.h"

static struct rtg_sem gate;
static volatile bool flag;

static void set_flag_late(void *arg)
{
    (void)arg;
    rtg_sleep_for(2000000);
    flag = true;
}

static void wait_at_gate(void *arg)
{
    (void)arg;
    rtg_sem_acquire(&gate);
    conf_mark('!');
}

static void sleep_long(void *arg)
{
    (void)arg;
    rtg_sleep_until(rtg_os_now() + UINT64_C(3600000000000));
    conf_mark('!');
}

static void park(void *arg)
{
    (void)arg;
    rtg_thread_park();
    conf_mark('!');
}

/* The marks but for one thread's: a system may give the normal class a share of the CPU
 * even against real-time threads, so its place says nothing. */
static const char *without(char left_out, const char *marks)
{
    static char kept[64];
    unsigned n = 0;
    for (; *marks != 0 && n + 1 < sizeof kept; marks++)
        if (*marks != left_out)
            kept[n++] = *marks;
    kept[n] = 0;
    return kept;
}

static void create_orders_by_level(void)
{
    struct rtg_thread t[4];
    conf_start_as(&t[0], RTG_NORMAL, 0, conf_mark_arg, "n");
    conf_start(&t[1], 0, conf_mark_arg, "0");
    conf_start(&t[2], 2, conf_mark_arg, "2");
    conf_start(&t[3], 1, conf_mark_arg, "1");
    conf_mark('c');
    conf_join(t, 4);
    CHECK_TEXT(without('n', conf_marks()), "c210");
}

static void create_pre_empts_a_lower_creator(void)
{
    struct rtg_thread t;
    CHECK_EQUAL(rtg_thread_set_level(NULL, conf_level(1), 0), RTG_OK);
    conf_start(&t, 2, conf_mark_arg, "h");
    conf_mark('c');
    CHECK_EQUAL(rtg_thread_set_level(NULL, conf_level(3), 0), RTG_OK);
    conf_join(&t, 1);
    CHECK_TEXT(conf_marks(), "hc");
}

static void create_refuses(void)
{
    struct rtg_thread t;
    struct rtg_thread_spec spec = {
        .entry = park, .policy = RTG_FIFO, .level = rtg_level_count(), .cpu = conf_cpu()};
    if (conf_has(RTG_FIFO))
        CHECK_EQUAL(rtg_thread_create(&t, &spec), RTG_EINVAL);
    spec.policy = RTG_RR;
    if (conf_has(RTG_RR))
        CHECK_EQUAL(rtg_thread_create(&t, &spec), RTG_EINVAL);
}

static atomic_uint begun;

/* Marks whether the other one of two equal threads begins while this one computes. The
 * one that comes second has nothing to say: which one that is, the contract leaves open. */
static void compute_until_the_other_begins(void *limit_ns)
{
    uint64_t end = rtg_os_now() + *(const uint64_t *)limit_ns;
    if (atomic_fetch_add(&begun, 1) == 1)
        return;
    while (atomic_load(&begun) == 1 && rtg_os_now() < end)
        rtg_cpu_relax();
    conf_mark(atomic_load(&begun) == 2 ? 'y' : 'n');
}

static void policy_decides_among_equals(void)
{
    static const enum rtg_policy policies[] = {RTG_RR, RTG_FIFO};
    static const char *const wanted[] = {"y", "n"};
    for (unsigned i = 0; i < 2; i++) {
        struct rtg_thread t[2];
        if (!conf_has(policies[i]))
            continue;
        uint64_t limit = i == 0 ? 2000000000 : 150000000;
        atomic_store(&begun, 0);
        conf_start_as(&t[0], policies[i], 1, compute_until_the_other_begins, &limit);
        conf_start_as(&t[1], policies[i], 1, compute_until_the_other_begins, &limit);
        conf_join(t, 2);
        CHECK_TEXT(conf_marks(), wanted[i]);
    }
}

static void yield_goes_to_the_tail(void)
{
    struct rtg_thread t[3];
    if (!conf_has(RTG_FIFO)) { /* a slice may end at any time */
        check_skipped("rtg_thread_yield", "not to be seen without FIFO");
        return;
    }
    conf_start(&t[0], 3, conf_mark_arg, "1");
    conf_start(&t[1], 3, conf_mark_arg, "2");
    conf_start(&t[2], 2, conf_mark_arg, "l");
    conf_mark('c');
    rtg_thread_yield();
    conf_mark('c');
    rtg_thread_yield(); /* nobody of its level is left */
    conf_mark('c');
    conf_join(t, 3);
    CHECK_TEXT(conf_marks(), "c12ccl");
}

static void join_waits_for_the_end(void)
{
    struct rtg_thread t;
    flag = false;
    conf_start(&t, 0, set_flag_late, NULL);
    CHECK_EQUAL(rtg_thread_join(&t), RTG_OK);
    CHECK(flag);
}

static void delete_ends_a_waiting_thread(void)
{
    static const rtg_entry entries[] = {wait_at_gate, sleep_long, park};
    for (unsigned i = 0; i < 3; i++) {
        struct rtg_thread t;
        CHECK_EQUAL(rtg_sem_create(&gate, RTG_COUNTING, RTG_UNNAMED, 0), RTG_OK);
        conf_start(&t, 0, entries[i], NULL);
        conf_let_others_run();
        CHECK_EQUAL(rtg_thread_delete(&t), RTG_OK);
        rtg_sem_release(&gate);
        conf_let_others_run();
        CHECK_TEXT(conf_marks(), "");
        rtg_sem_destroy(&gate);
    }
}

static void delete_unstarted_is_sure_or_refused(void)
{
    struct rtg_thread t;
    conf_start(&t, 0, conf_mark_arg, "s");
    int result = rtg_thread_delete_unstarted(&t);
    if (result == RTG_ENOSUP) {
        check_skipped("rtg_thread_delete_unstarted", "not supported");
        conf_join(&t, 1);
        CHECK_TEXT(conf_marks(), "s");
        return;
    }
    CHECK_EQUAL(result, RTG_OK);
    conf_let_others_run();
    CHECK_TEXT(conf_marks(), "");
}

const struct conf_check conf_thread_checks[] = {
    {"rtg_thread_create", create_orders_by_level, CONF_LEVELS},
    {"rtg_thread_create", create_pre_empts_a_lower_creator, CONF_LEVELS},
    {"rtg_thread_create", create_refuses, CONF_LEVELS},
    {"rtg_thread_create", policy_decides_among_equals, CONF_LEVELS},
    {"rtg_thread_yield", yield_goes_to_the_tail, CONF_LEVELS},
    {"rtg_thread_join", join_waits_for_the_end, CONF_LEVELS},
    {"rtg_thread_delete rtg_thread_park", delete_ends_a_waiting_thread, CONF_LEVELS},
    {"rtg_thread_delete_unstarted", delete_unstarted_is_sure_or_refused, CONF_LEVELS},
    {NULL, NULL, CONF_ANYWHERE},
};
