/* THR-P-NEW: what creating and deleting a thread takes, in three scenarios. The
 * created thread reads back itself what it was given: rtg_spawn would do that
 * before the first instruction that is to be stamped. */
#include <stdatomic.h>

#include "common/roles.h"

enum { CREATION, DELETION };

static struct subject {
    struct rtg_run *run;
    struct rtg_thread thread;
    struct rtg_sem gate; /* never released unless the thread cannot be deleted */
    uint32_t level;
    int32_t cpu;
    rtg_stamp_t first, last; /* its first and last instruction */
    atomic_bool ran;
    atomic_bool lowered; /* it is below its creator, and about to block */
    int deletion;        /* what the port said to it */
} subject;

static void verify(void)
{
    struct rtg_thread_state state;
    bool known = rtg_thread_query(NULL, &state) == RTG_OK;
    if (!known || state.policy != RTG_FIFO || state.level != (int32_t)subject.level ||
        state.cpu != subject.cpu)
        rtg_broken(subject.run, "a created thread did not get the policy, level or CPU asked for");
}

static void only_run(void *arg)
{
    (void)arg;
    atomic_store(&subject.ran, true);
    verify();
}

static void terminate(void *arg)
{
    rtg_stamp_t first = rtg_stamp_stop();
    (void)arg;
    subject.first = first;
    verify();
    atomic_store(&subject.ran, true);
    rtg_dirty(subject.run);
    subject.last = rtg_stamp_start();
}

static void block(void *arg)
{
    rtg_stamp_t first = rtg_stamp_stop();
    (void)arg;
    subject.first = first;
    verify();
    atomic_store(&subject.ran, true);
    rtg_self_level(subject.run, rtg_role_level(RTG_LO));
    atomic_store(&subject.lowered, true);
    rtg_sem_acquire(&subject.gate);
}

static int create(rtg_entry entry, rtg_stamp_t *start, rtg_stamp_t *back)
{
    struct rtg_thread_spec spec = {
        .entry = entry, .policy = RTG_FIFO, .level = subject.level, .cpu = subject.cpu};
    atomic_store(&subject.ran, false);
    atomic_store(&subject.lowered, false);
    *start = rtg_stamp_start();
    int error = rtg_thread_create(&subject.thread, &spec);
    *back = rtg_stamp_stop();
    return error;
}

/* One turn of each scenario: RTG_OK, or the error of the creation. */

static int never_run(struct rtg_run *run)
{
    rtg_stamp_t start, back;
    int error = create(only_run, &start, &back);
    if (error != RTG_OK)
        return error;
    struct rtg_thread_state state;
    bool known = rtg_thread_query(&subject.thread, &state) == RTG_OK;
    if (known && (state.policy != RTG_FIFO || state.level != (int32_t)subject.level))
        rtg_broken(run, "a created thread did not get the policy or level asked for");
    if (atomic_load(&subject.ran))
        rtg_broken(run, "a thread of lower priority ran before its creator stopped");
    rtg_record(run, CREATION, start, back, 0);

    rtg_dirty(run);
    start = rtg_stamp_start();
    subject.deletion = rtg_thread_delete_unstarted(&subject.thread);
    back = rtg_stamp_stop();
    if (subject.deletion != RTG_OK) /* then it runs, and verifies itself */
        return rtg_thread_join(&subject.thread);
    if (!known)
        rtg_broken(run, "the system does not tell policy and level of an unstarted thread");
    rtg_record(run, DELETION, start, back, 0);
    if (atomic_load(&subject.ran))
        rtg_broken(run, "a thread ran although it was deleted before");
    return RTG_OK;
}

static int run_terminate(struct rtg_run *run)
{
    rtg_stamp_t start, back;
    int error = create(terminate, &start, &back);
    if (error != RTG_OK)
        return error;
    if (!atomic_load(&subject.ran))
        rtg_broken(run, "a thread of higher priority did not run at once");
    rtg_thread_join(&subject.thread);
    rtg_record(run, CREATION, start, subject.first, 0);
    rtg_record(run, DELETION, subject.last, back, 0);
    return RTG_OK;
}

static int run_block(struct rtg_run *run)
{
    rtg_stamp_t start, back;
    int error = create(block, &start, &back);
    if (error != RTG_OK)
        return error;
    if (!atomic_load(&subject.ran) || atomic_load(&subject.lowered))
        rtg_broken(run, "a thread of higher priority did not run at once, or did not stop when it "
                        "lowered itself");
    rtg_record(run, CREATION, start, subject.first, 0);

    /* Beside it for a moment, so that it goes on to block. */
    rtg_self_level(run, rtg_role_level(RTG_LO));
    for (int i = 0; i < 2; i++)
        rtg_thread_yield();
    rtg_self_level(run, rtg_role_level(RTG_MID));
    if (!atomic_load(&subject.lowered))
        rtg_broken(run, "the thread to be deleted had not blocked");

    rtg_dirty(run);
    start = rtg_stamp_start();
    subject.deletion = rtg_thread_delete(&subject.thread);
    back = rtg_stamp_stop();
    if (subject.deletion == RTG_OK) {
        rtg_record(run, DELETION, start, back, 0);
        return RTG_OK;
    }
    rtg_sem_release(&subject.gate);
    return rtg_thread_join(&subject.thread);
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    bool never = rtg_is(run, "scenario", "never-run");
    int (*turn)(struct rtg_run *) = never                                      ? never_run
                                    : rtg_is(run, "scenario", "run-terminate") ? run_terminate
                                                                               : run_block;
    subject = (struct subject){
        .run = run, .level = rtg_role_level(never ? RTG_LO : RTG_HI), .cpu = rtg_test_cpu()};
    int error = rtg_sem_create(&subject.gate, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        return rtg_error(run, error, "rtg_sem_create");

    rtg_self_level(run, rtg_role_level(RTG_MID));
    struct rtg_thread_state before, after;
    rtg_thread_query(NULL, &before);
    while (error == RTG_OK && rtg_next(run)) {
        rtg_breathe(run);
        error = turn(run);
    }
    rtg_thread_query(NULL, &after);
    rtg_self_level(run, rtg_role_level(RTG_TOP));
    rtg_sem_destroy(&subject.gate);

    rtg_evidence(run, "page_faults", (int64_t)(after.faults - before.faults), "");
    if (never) /* in the others each new thread pre-empts its creator */
        rtg_evidence_switches(run, "involuntary_switches",
                              (int64_t)(after.involuntary - before.involuntary));
    if (subject.deletion == RTG_ENOSUP)
        rtg_unchecked(run, "deletion",
                      never ? "this system cannot delete a thread so that it surely never enters "
                              "its function"
                            : "this system cannot delete another thread");
    else if (subject.deletion != RTG_OK && error == RTG_OK)
        return rtg_error(run, subject.deletion, "rtg_thread_delete");
    return error == RTG_OK ? RTG_DONE : rtg_error(run, error, "rtg_thread_create");
}

RTG_TEST(.id = "THR-P-NEW", .title = "Creation and deletion of a thread",
         .question = "How long does it take to create a thread, and to delete it until its memory "
                     "is back?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {2000, 20000, 200000},
         .about_ns = 150000, .about_ms = 50,
         .params = {{"scenario", RTG_CHOICE, "never-run run-terminate run-block",
                     "never-run run-terminate run-block", "what the thread does before it ends"}},
         .series = {{"creation", "ns", "just before the create call",
                     "never-run: the call's return; else the first instruction of the new thread",
                     "the creator; else the creator, then the new thread", "", RTG_BY_STAMP, ""},
                    {"deletion", "ns",
                     "just before the delete call; run-terminate: last instruction of the thread",
                     "the call's return, the memory being back; run-terminate: the creator runs",
                     "the creator; run-terminate: the thread, then the creator", "", RTG_BY_STAMP,
                     ""}},
         .run = run_test);
