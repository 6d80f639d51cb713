/* Threads that are made before they are ready, and taken off the ready queue. */
#include <stddef.h>

#include "conformance.h"

static struct rtg_sem gate;

static void wait_at_gate(void *arg)
{
    (void)arg;
    rtg_sem_acquire(&gate);
}

static void prepared_thread_waits_for_its_start(void)
{
    struct rtg_thread t;
    struct rtg_thread_spec spec = {.entry = conf_mark_arg,
                                   .arg = (void *)(uintptr_t)"p",
                                   .policy = conf_policy(),
                                   .level = conf_level(1),
                                   .cpu = conf_cpu()};
    int result = rtg_thread_prepare(&t, &spec);
    if (conf_unsupported("rtg_thread_prepare", result)) {
        CHECK_EQUAL(rtg_thread_start(&t), RTG_ENOSUP);
        return;
    }
    CHECK_EQUAL(result, RTG_OK);
    conf_let_others_run();
    CHECK_TEXT(conf_marks(), "");
    CHECK_EQUAL(rtg_thread_start(&t), RTG_OK);
    conf_mark('c');
    conf_join(&t, 1);
    CHECK_TEXT(conf_marks(), "cp");
    spec.level = rtg_level_count();
    CHECK_EQUAL(rtg_thread_prepare(&t, &spec), RTG_EINVAL);
}

static void compute(void *unused)
{
    (void)unused;
    conf_mark('1');
    conf_busy(10000000);
    conf_mark('2');
}

static void suspended_thread_waits_for_its_resumption(void)
{
    struct rtg_thread t;
    conf_start(&t, 1, compute, NULL);
    conf_let_others_run();
    int result = rtg_thread_suspend(&t);
    if (conf_unsupported("rtg_thread_suspend", result)) {
        CHECK_EQUAL(rtg_thread_resume(&t), RTG_ENOSUP);
        conf_join(&t, 1);
        return;
    }
    CHECK_EQUAL(result, RTG_OK);
    for (unsigned i = 0; i < 4; i++)
        conf_let_others_run();
    conf_mark('c');
    CHECK_EQUAL(rtg_thread_resume(&t), RTG_OK);
    conf_mark('c');
    conf_join(&t, 1);
    CHECK_TEXT(conf_marks(), "1cc2");
}

static void suspend_itself(void *result)
{
    conf_mark('1');
    *(int *)result = rtg_thread_suspend(NULL);
    conf_mark('2');
}

static void caller_suspends_itself(void)
{
    struct rtg_thread t;
    int result = RTG_EFAIL;
    conf_start(&t, 1, suspend_itself, &result);
    conf_let_others_run();
    conf_mark('c');
    if (conf_unsupported("rtg_thread_suspend", result)) {
        conf_join(&t, 1);
        return;
    }
    CHECK_EQUAL(rtg_thread_resume(&t), RTG_OK);
    conf_join(&t, 1);
    CHECK_EQUAL(result, RTG_OK);
    CHECK_TEXT(conf_marks(), "1c2");
}

static void suspend_and_resume_refuse(void)
{
    struct rtg_thread t;
    CHECK_EQUAL(rtg_sem_create(&gate, RTG_COUNTING, RTG_UNNAMED, 0), RTG_OK);
    conf_start(&t, 1, wait_at_gate, NULL);
    conf_let_others_run();
    int suspended = rtg_thread_suspend(&t), resumed = rtg_thread_resume(&t);
    if (suspended == RTG_OK) { /* a system that can take it off its wait, too */
        CHECK_EQUAL(resumed, RTG_OK);
        CHECK_EQUAL(rtg_thread_resume(&t), RTG_EINVAL);
        conf_let_others_run(); /* it waits as before */
        CHECK_TEXT(conf_marks(), "");
    } else {
        CHECK(suspended == RTG_EBUSY || suspended == RTG_ENOSUP); /* it waits for something */
        CHECK(resumed == RTG_EINVAL || resumed == RTG_ENOSUP);    /* it is not suspended */
    }
    CHECK_EQUAL(rtg_sem_release(&gate), RTG_OK);
    conf_join(&t, 1);
    CHECK_EQUAL(rtg_sem_destroy(&gate), RTG_OK);
}

const struct conf_check conf_control_checks[] = {
    {"rtg_thread_prepare rtg_thread_start", prepared_thread_waits_for_its_start, CONF_LEVELS},
    {"rtg_thread_suspend rtg_thread_resume", suspended_thread_waits_for_its_resumption,
     CONF_LEVELS},
    {"rtg_thread_suspend rtg_thread_resume", caller_suspends_itself, CONF_LEVELS},
    {"rtg_thread_suspend rtg_thread_resume", suspend_and_resume_refuse, CONF_LEVELS},
    {NULL, NULL, CONF_ANYWHERE},
};
