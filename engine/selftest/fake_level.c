/* Changing levels: which end of its queue a thread lands on. */
#include "fake_test.h"

enum { TAIL_CALL, HEAD_CALL };

static void the_calls_have_names(void)
{
    CHECK_EQUAL(rtg_set_level_calls(), 2);
    CHECK_TEXT(rtg_set_level_call_name(TAIL_CALL), "fake_setschedparam");
    CHECK_TEXT(rtg_set_level_call_name(HEAD_CALL), "fake_setschedprio");
    CHECK(rtg_set_level_call_name(2) == NULL);
}

static void lower_self(uint32_t call)
{
    struct rtg_thread t;
    start(&t, HI, mark_arg, "o");
    CHECK_EQUAL(rtg_thread_set_level(NULL, HI, call), RTG_OK);
    mark('s');
    CHECK_EQUAL(rtg_thread_set_level(NULL, TOP, call), RTG_OK);
    join(&t, 1);
}

static void lowering_oneself(void)
{
    lower_self(TAIL_CALL);
    CHECK_TEXT(marks(), "os");
    lower_self(HEAD_CALL);
    CHECK_TEXT(marks(), "so");
}

static void lower_other(uint32_t call)
{
    struct rtg_thread t[2];
    start(&t[0], HI, mark_arg, "1");
    start(&t[1], MID, mark_arg, "2");
    CHECK_EQUAL(rtg_thread_set_level(&t[0], MID, call), RTG_OK);
    join(t, 2);
}

static void lowering_another(void)
{
    lower_other(TAIL_CALL);
    CHECK_TEXT(marks(), "21");
    lower_other(HEAD_CALL);
    CHECK_TEXT(marks(), "12");
}

static void raising_another(void)
{
    for (uint32_t call = 0; call < 2; call++) {
        struct rtg_thread t[3];
        start(&t[0], MID, mark_arg, "1");
        start(&t[1], HI, mark_arg, "2");
        start(&t[2], MID, mark_arg, "3");
        CHECK_EQUAL(rtg_thread_set_level(&t[2], HI, call), RTG_OK);
        mark('c');
        CHECK_EQUAL(rtg_thread_set_level(&t[0], TOP + 1, call), RTG_OK);
        mark('c');
        join(t, 3);
        CHECK_TEXT(marks(), "c1c23");
    }
}

static void the_same_level_changes_nothing(void)
{
    struct rtg_thread t[2];
    start(&t[0], TOP, mark_arg, "1");
    start(&t[1], TOP, mark_arg, "2");
    CHECK_EQUAL(rtg_thread_set_level(&t[0], TOP, TAIL_CALL), RTG_OK);
    CHECK_EQUAL(rtg_thread_set_level(NULL, TOP, TAIL_CALL), RTG_OK);
    mark('c');
    join(t, 2);
    CHECK_TEXT(marks(), "c12");
}

static struct rtg_sem gate;

static void wait_and_mark(void *arg)
{
    rtg_sem_acquire(&gate);
    mark_arg(arg);
}

static void a_raised_waiter_is_released_first(void)
{
    struct rtg_thread t[2];
    rtg_sem_create(&gate, RTG_COUNTING, RTG_UNNAMED, 0);
    start(&t[0], LO, wait_and_mark, "l");
    start(&t[1], MID, wait_and_mark, "m");
    settle();
    CHECK_EQUAL(rtg_thread_set_level(&t[0], HI, 0), RTG_OK);
    rtg_sem_release(&gate);
    settle();
    CHECK_TEXT(marks(), "l");
    rtg_sem_release(&gate);
    join(t, 2);
    CHECK_TEXT(marks(), "m");
    rtg_sem_destroy(&gate);
}

static void what_is_refused(void)
{
    struct rtg_thread t, nobody = {0};
    start_as(&t, RTG_NORMAL, 0, mark_arg, "n");
    CHECK_EQUAL(rtg_thread_set_level(&t, LO, 0), RTG_EINVAL);
    CHECK_EQUAL(rtg_thread_set_level(NULL, rtg_level_count(), 0), RTG_EINVAL);
    CHECK_EQUAL(rtg_thread_set_level(NULL, LO, 2), RTG_EINVAL);
    CHECK_EQUAL(rtg_thread_set_level(&nobody, LO, 0), RTG_EINVAL);
    join(&t, 1);
    marks();
}

static void the_system_says_what_a_thread_has(void)
{
    struct rtg_thread t[2];
    struct rtg_thread_state s;
    start_as(&t[0], RTG_NORMAL, 0, mark_arg, "n");
    start_as(&t[1], RTG_RR, LO, mark_arg, "r");
    CHECK_EQUAL(rtg_thread_query(&t[0], &s), RTG_OK);
    CHECK(s.policy == RTG_NORMAL && s.level == -1 && s.cpu == 0);
    CHECK_EQUAL(rtg_thread_query(&t[1], &s), RTG_OK);
    CHECK(s.policy == RTG_RR && s.level == LO);
    CHECK_EQUAL(rtg_thread_query(NULL, &s), RTG_OK);
    CHECK(s.policy == RTG_FIFO && s.level == TOP);
    join(t, 2);
    marks();
}

void fake_level_tests(void)
{
    the_calls_have_names();
    lowering_oneself();
    lowering_another();
    raising_another();
    the_same_level_changes_nothing();
    a_raised_waiter_is_released_first();
    what_is_refused();
    the_system_says_what_a_thread_has();
}
