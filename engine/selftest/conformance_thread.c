/* Threads: create, join, delete, yield, levels, and what the system says of them. */
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

static void create_orders_by_level(void)
{
    struct rtg_thread t[4];
    conf_start_as(&t[0], RTG_NORMAL, 0, conf_mark_arg, "n");
    conf_start(&t[1], 0, conf_mark_arg, "0");
    conf_start(&t[2], 2, conf_mark_arg, "2");
    conf_start(&t[3], 1, conf_mark_arg, "1");
    conf_mark('c');
    conf_join(t, 4);
    CHECK_TEXT(conf_marks(), "c210n");
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
    CHECK_EQUAL(rtg_thread_create(&t, &spec), RTG_EINVAL);
    spec.policy = RTG_RR;
    CHECK_EQUAL(rtg_thread_create(&t, &spec), RTG_EINVAL);
}

static void yield_goes_to_the_tail(void)
{
    struct rtg_thread t[2];
    conf_start(&t[0], 3, conf_mark_arg, "1");
    conf_start(&t[1], 3, conf_mark_arg, "2");
    conf_mark('c');
    rtg_thread_yield();
    conf_mark('c');
    conf_join(t, 2);
    CHECK_TEXT(conf_marks(), "c12c");
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

/* ---- levels ---- */

static void set_level_of_the_caller(void)
{
    struct rtg_thread_state state;
    for (uint32_t call = 0; call < rtg_set_level_calls(); call++) {
        struct rtg_thread t;
        CHECK(rtg_set_level_call_name(call) != NULL);
        conf_start(&t, 2, conf_mark_arg, "o");
        conf_mark('c');
        CHECK_EQUAL(rtg_thread_set_level(NULL, conf_level(1), call), RTG_OK);
        conf_mark('c');
        CHECK_EQUAL(rtg_thread_query(NULL, &state), RTG_OK);
        CHECK_EQUAL(state.level, conf_level(1));
        CHECK_EQUAL(rtg_thread_set_level(NULL, conf_level(3), call), RTG_OK);
        conf_join(&t, 1);
        CHECK_TEXT(conf_marks(), "coc");
    }
}

static void set_level_of_another(void)
{
    for (uint32_t call = 0; call < rtg_set_level_calls(); call++) {
        struct rtg_thread t[2];
        CHECK_EQUAL(rtg_thread_set_level(NULL, conf_level(2), call), RTG_OK);
        conf_start(&t[0], 1, conf_mark_arg, "1");
        conf_start(&t[1], 0, conf_mark_arg, "2");
        CHECK_EQUAL(rtg_thread_set_level(&t[1], conf_level(3), call), RTG_OK);
        conf_mark('c');
        CHECK_EQUAL(rtg_thread_set_level(NULL, conf_level(3), call), RTG_OK);
        conf_join(t, 2);
        CHECK_TEXT(conf_marks(), "2c1");
    }
}

static void set_level_refuses(void)
{
    CHECK(rtg_set_level_calls() >= 1);
    CHECK_EQUAL(rtg_thread_set_level(NULL, rtg_level_count(), 0), RTG_EINVAL);
    CHECK_EQUAL(rtg_thread_set_level(NULL, conf_level(3), rtg_set_level_calls()), RTG_EINVAL);
}

/* ---- what the system says ---- */

struct asked {
    enum rtg_policy policy;
    int32_t level;
};

static void query_self(void *arg)
{
    const struct asked *asked = arg;
    struct rtg_thread_state state;
    CHECK_EQUAL(rtg_thread_query(NULL, &state), RTG_OK);
    CHECK_EQUAL(state.policy, asked->policy);
    CHECK_EQUAL(state.level, asked->level);
    CHECK_EQUAL(state.cpu, conf_cpu());
    CHECK_EQUAL(rtg_cpu_now(), conf_cpu());
}

static void query_says_what_was_given(void)
{
    struct asked asked[3] = {
        {RTG_FIFO, (int32_t)conf_level(1)}, {RTG_RR, (int32_t)conf_level(1)}, {RTG_NORMAL, -1}};
    for (unsigned i = 0; i < 3; i++) {
        struct rtg_thread t;
        conf_start_as(&t, asked[i].policy, 1, query_self, &asked[i]);
        conf_join(&t, 1);
    }
}

static void query_counts_switches_away_from_a_ready_thread(void)
{
    struct rtg_thread t;
    struct rtg_thread_state before, after;
    rtg_thread_set_level(NULL, conf_level(1), 0);
    CHECK_EQUAL(rtg_thread_query(NULL, &before), RTG_OK);
    conf_start(&t, 2, conf_mark_arg, "h");
    CHECK_EQUAL(rtg_thread_query(NULL, &after), RTG_OK);
    rtg_thread_set_level(NULL, conf_level(3), 0);
    CHECK(after.involuntary > before.involuntary);
    CHECK(after.faults >= before.faults);
    conf_join(&t, 1);
}

const conf_check conf_thread_checks[] = {
    create_orders_by_level,
    create_pre_empts_a_lower_creator,
    create_refuses,
    yield_goes_to_the_tail,
    join_waits_for_the_end,
    delete_ends_a_waiting_thread,
    delete_unstarted_is_sure_or_refused,
    set_level_of_the_caller,
    set_level_of_another,
    set_level_refuses,
    query_says_what_was_given,
    query_counts_switches_away_from_a_ready_thread,
    NULL,
};
