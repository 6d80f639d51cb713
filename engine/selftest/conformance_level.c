/* Levels of living threads, and what the system says of a thread. */
#include <stddef.h>

#include "conformance.h"

static struct rtg_sem gate;

static void wait_at_gate(void *arg)
{
    (void)arg;
    rtg_sem_acquire(&gate);
}

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
        if (asked[i].policy != RTG_NORMAL && !conf_has(asked[i].policy))
            continue;
        conf_start_as(&t, asked[i].policy, 1, query_self, &asked[i]);
        conf_join(&t, 1);
    }
}

static void query_says_it_of_another(void)
{
    struct rtg_thread t;
    struct rtg_thread_state state;
    CHECK_EQUAL(rtg_sem_create(&gate, RTG_COUNTING, RTG_UNNAMED, 0), RTG_OK);
    enum rtg_policy policy = conf_has(RTG_RR) ? RTG_RR : RTG_FIFO;
    conf_start_as(&t, policy, 2, wait_at_gate, NULL);
    conf_let_others_run();
    for (uint32_t call = 0; call < rtg_set_level_calls(); call++) {
        CHECK_EQUAL(rtg_thread_set_level(&t, conf_level(1), call), RTG_OK);
        CHECK_EQUAL(rtg_thread_query(&t, &state), RTG_OK);
        CHECK_EQUAL(state.level, conf_level(1));
        CHECK_EQUAL(state.policy, policy); /* a new level leaves the policy as it is */
        CHECK_EQUAL(state.cpu, conf_cpu());
        CHECK_EQUAL(rtg_thread_set_level(&t, conf_level(2), call), RTG_OK);
    }
    CHECK_EQUAL(rtg_sem_release(&gate), RTG_OK);
    conf_join(&t, 1);
    CHECK_EQUAL(rtg_sem_destroy(&gate), RTG_OK);
}

/* Only of a policy that is lacking there is a reason to tell. */
static void policies_are_explained_where_they_lack(void)
{
#ifdef RTG_PORT_TELLS_POLICY
    static const enum rtg_policy policies[] = {RTG_FIFO, RTG_RR};
    CHECK(rtg_policy_lacking(RTG_NORMAL) == NULL);
    for (unsigned i = 0; i < 2; i++) {
        const char *why = rtg_policy_lacking(policies[i]);
        CHECK(why == NULL || (!conf_has(policies[i]) && why[0] != 0));
    }
#else
    check_skipped("rtg_policy_lacking", "no reasons are known");
#endif
}

/* ---- a thread by reservation ---- */

static void query_reservation(void *arg)
{
    struct rtg_thread_state state;
    CHECK_EQUAL(rtg_thread_query(NULL, &state), RTG_OK);
    CHECK_EQUAL(state.policy, RTG_DEADLINE);
    CHECK_EQUAL(state.level, -1);
    conf_mark_arg(arg);
}

static void create_by_reservation(void)
{
    struct rtg_thread t;
    struct rtg_thread_spec spec = {.entry = query_reservation,
                                   .arg = (void *)(uintptr_t)"d",
                                   .policy = RTG_DEADLINE,
                                   .cpu = -1,
                                   .runtime_ns = 2000000,
                                   .period_ns = 20000000};
    int result = rtg_thread_create(&t, &spec);
    if (result == RTG_EPERM)
        check_skipped("rtg_thread_create by reservation", "not permitted");
    if (result == RTG_EPERM || conf_unsupported("rtg_thread_create by reservation", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
    conf_join(&t, 1);
    CHECK_TEXT(conf_marks(), "d");
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
    if (before.involuntary == UINT64_MAX)
        check_skipped("rtg_thread_query of involuntary switches", "not counted");
    else
        CHECK(after.involuntary > before.involuntary);
    CHECK(after.faults >= before.faults);
    conf_join(&t, 1);
}

const struct conf_check conf_level_checks[] = {
    {"rtg_thread_set_level rtg_set_level_call_name", set_level_of_the_caller, CONF_LEVELS},
    {"rtg_thread_set_level", set_level_of_another, CONF_LEVELS},
    {"rtg_thread_set_level rtg_set_level_calls", set_level_refuses, CONF_LEVELS},
    {"rtg_thread_query", query_says_what_was_given, CONF_LEVELS},
    {"rtg_thread_query", query_says_it_of_another, CONF_LEVELS},
    {"rtg_policy_lacking", policies_are_explained_where_they_lack, CONF_ANYWHERE},
    {"rtg_thread_create rtg_thread_query", create_by_reservation, CONF_LEVELS},
    {"rtg_thread_query", query_counts_switches_away_from_a_ready_thread, CONF_LEVELS},
    {NULL, NULL, CONF_ANYWHERE},
};
