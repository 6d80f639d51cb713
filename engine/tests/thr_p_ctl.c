/* THR-P-CTL: start, suspend, resume and change of priority, each where the caller goes
 * on and where another thread runs instead. */
#include <stdatomic.h>

#include "common/roles.h"

enum operation { START, SUSPEND, RESUME, SET_PRIORITY };

static struct scene {
    struct rtg_run *run;
    struct rtg_thread thread;
    struct rtg_sem gate; /* of SET_PRIORITY */
    rtg_stamp_t ran;
    atomic_uint runs;
    atomic_bool over;
    bool switches; /* another thread runs at the end of the operation */
} scene;

/* The other thread of START: runs once. */
static void run_once(void *arg)
{
    scene.ran = rtg_stamp_stop();
    (void)arg;
    atomic_fetch_add(&scene.runs, 1);
}

/* That of RESUME: suspends itself for the next turn. */
static void run_and_suspend(void *arg)
{
    (void)arg;
    while (!atomic_load(&scene.over)) {
        if (rtg_thread_suspend(NULL) != RTG_OK)
            return;
        scene.ran = rtg_stamp_stop();
        atomic_fetch_add(&scene.runs, 1);
    }
}

/* That of SET_PRIORITY with a switch: let through the gate while it is low, it runs when
 * it is raised. It does not lower itself, since a library may hold a lock of the thread
 * while it does so. */
static void pass_the_gate(void *arg)
{
    (void)arg;
    while (rtg_sem_acquire(&scene.gate) == RTG_OK && !atomic_load(&scene.over)) {
        scene.ran = rtg_stamp_stop();
        atomic_fetch_add(&scene.runs, 1);
    }
}

/* Always ready, never to run while the caller does. */
static void stay_ready(void *arg)
{
    (void)arg;
    while (!atomic_load(&scene.over))
        rtg_cpu_relax();
}

/* Whether the other thread ran in this turn as it should; breaks the premise if not. */
static bool as_expected(struct rtg_run *run, uint32_t before, int error)
{
    bool ran = atomic_load(&scene.runs) != before;
    if (error == RTG_OK && ran == scene.switches)
        return true;
    rtg_broken(run, error != RTG_OK  ? "the call was refused in the middle of the test"
                    : scene.switches ? "the other thread did not run at once"
                                     : "the other thread ran before its turn");
    return false;
}

/* ---- the operations ------------------------------------------------------ */

static struct rtg_thread_spec spec_of(rtg_entry entry, enum rtg_role role)
{
    return (struct rtg_thread_spec){
        .entry = entry, .policy = RTG_FIFO, .level = rtg_role_level(role), .cpu = rtg_test_cpu()};
}

/* A thread is made ready for the first time. */
static int measure_start(struct rtg_run *run)
{
    struct rtg_thread_spec spec = spec_of(run_once, scene.switches ? RTG_TOP : RTG_LO);
    while (rtg_next(run)) {
        uint32_t before = atomic_load(&scene.runs);
        int error = rtg_thread_prepare(&scene.thread, &spec);
        if (error != RTG_OK)
            return error;
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        error = rtg_thread_start(&scene.thread);
        rtg_stamp_t stop = rtg_stamp_stop();
        if (as_expected(run, before, error))
            rtg_record(run, 0, start, scene.switches ? scene.ran : stop, 0);
        rtg_thread_join(&scene.thread);
    }
    return RTG_OK;
}

/* A ready thread is taken off the queue (no switch), or the caller takes itself off and
 * a lower one runs, which resumes it. */
static void resume_the_other(void *arg)
{
    struct rtg_thread *other = arg;
    while (!atomic_load(&scene.over)) {
        scene.ran = rtg_stamp_stop();
        atomic_fetch_add(&scene.runs, 1);
        rtg_thread_resume(other);
    }
}

static void suspend_self_in_turns(void *arg)
{
    struct rtg_run *run = arg;
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_thread_suspend(NULL); /* the other may have run, and stand behind its stamp */
        uint32_t before = atomic_load(&scene.runs);
        rtg_stamp_t start = rtg_stamp_start();
        int error = rtg_thread_suspend(NULL);
        if (as_expected(run, before, error))
            rtg_record(run, 0, start, scene.ran, 0);
    }
    atomic_store(&scene.over, true);
}

static int measure_suspending_self(struct rtg_run *run)
{
    struct rtg_thread resumer;
    struct rtg_thread_spec spec = spec_of(suspend_self_in_turns, RTG_HI);
    struct rtg_thread_spec lower = spec_of(resume_the_other, RTG_LO);
    spec.arg = run;
    lower.arg = &scene.thread;
    int error = rtg_thread_create(&scene.thread, &spec);
    if (error != RTG_OK)
        return error;
    error = rtg_thread_create(&resumer, &lower);
    rtg_thread_join(&scene.thread);
    return error == RTG_OK ? rtg_thread_join(&resumer) : error;
}

static int measure_suspend(struct rtg_run *run)
{
    struct rtg_thread_spec spec = spec_of(stay_ready, RTG_LO);
    int error = rtg_thread_create(&scene.thread, &spec);
    if (error != RTG_OK)
        return error;
    while (rtg_next(run)) {
        uint32_t before = atomic_load(&scene.runs);
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        error = rtg_thread_suspend(&scene.thread);
        rtg_stamp_t stop = rtg_stamp_stop();
        if (as_expected(run, before, error))
            rtg_record(run, 0, start, stop, 0);
        rtg_thread_resume(&scene.thread);
    }
    atomic_store(&scene.over, true);
    return rtg_thread_join(&scene.thread);
}

static int measure_resume(struct rtg_run *run)
{
    struct rtg_thread_spec spec = spec_of(run_and_suspend, RTG_TOP);
    int error = rtg_thread_create(&scene.thread, &spec); /* suspended when this returns */
    if (error != RTG_OK)
        return error;
    if (!scene.switches)
        rtg_thread_set_level(&scene.thread, rtg_role_level(RTG_LO), 0);
    while (rtg_next(run)) {
        uint32_t before = atomic_load(&scene.runs);
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        error = rtg_thread_resume(&scene.thread);
        rtg_stamp_t stop = rtg_stamp_stop();
        if (as_expected(run, before, error))
            rtg_record(run, 0, start, scene.switches ? scene.ran : stop, 0);
        if (!scene.switches)
            rtg_thread_suspend(&scene.thread);
    }
    atomic_store(&scene.over, true);
    rtg_thread_resume(&scene.thread);
    return rtg_thread_join(&scene.thread);
}

/* A ready thread is raised below the caller's level (no switch), or above it. */
static int measure_set_priority(struct rtg_run *run)
{
    struct rtg_thread_spec spec =
        spec_of(scene.switches ? pass_the_gate : stay_ready, scene.switches ? RTG_TOP : RTG_LO);
    uint32_t low = rtg_role_level(RTG_LO);
    uint32_t high = rtg_role_level(scene.switches ? RTG_TOP : RTG_MID);
    int error = rtg_sem_create(&scene.gate, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        return error;
    error = rtg_thread_create(&scene.thread, &spec);
    while (error == RTG_OK && rtg_next(run)) {
        uint32_t before = atomic_load(&scene.runs);
        rtg_breathe(run);
        rtg_thread_set_level(&scene.thread, low, 0);
        if (scene.switches)
            rtg_sem_release(&scene.gate);
        rtg_stamp_t start = rtg_stamp_start();
        error = rtg_thread_set_level(&scene.thread, high, 0);
        rtg_stamp_t stop = rtg_stamp_stop();
        if (as_expected(run, before, error))
            rtg_record(run, 0, start, scene.switches ? scene.ran : stop, 0);
    }
    atomic_store(&scene.over, true);
    rtg_sem_release(&scene.gate);
    if (error == RTG_OK)
        error = rtg_thread_join(&scene.thread);
    rtg_sem_destroy(&scene.gate);
    return error;
}

static enum operation operation_of(const struct rtg_run *run)
{
    return rtg_is(run, "operation", "start")     ? START
           : rtg_is(run, "operation", "suspend") ? SUSPEND
           : rtg_is(run, "operation", "resume")  ? RESUME
                                                 : SET_PRIORITY;
}

static const char *const unsupported[] = {
    "a thread cannot be made here without being made ready", "a thread cannot be suspended here",
    "a thread cannot be suspended and resumed here", "a thread's priority cannot be changed here"};

/* Whether the system has the operation at all: tried on a thread that does nothing. */
static int try_operation(enum operation operation)
{
    struct rtg_thread trial;
    struct rtg_thread_spec spec = spec_of(run_once, RTG_LO);
    if (operation == SET_PRIORITY)
        return RTG_OK;
    if (operation == START) {
        int error = rtg_thread_prepare(&trial, &spec);
        if (error == RTG_OK) {
            rtg_thread_start(&trial);
            rtg_thread_join(&trial);
        }
        return error;
    }
    int error = rtg_thread_create(&trial, &spec);
    if (error != RTG_OK)
        return error;
    error = rtg_thread_suspend(&trial);
    if (error == RTG_OK)
        rtg_thread_resume(&trial);
    rtg_thread_join(&trial);
    return error;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    enum operation operation = operation_of(run);
    scene = (struct scene){.run = run, .switches = rtg_is(run, "switch", "yes")};
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    int error = try_operation(operation);
    if (error == RTG_ENOSUP)
        return rtg_reason(run, RTG_NOT_SUPPORTED, unsupported[operation]);
    rtg_self_level(run, rtg_role_level(RTG_HI));
    if (error == RTG_OK)
        error = operation == START          ? measure_start(run)
                : operation == RESUME       ? measure_resume(run)
                : operation == SET_PRIORITY ? measure_set_priority(run)
                : scene.switches            ? measure_suspending_self(run)
                                            : measure_suspend(run);
    return error == RTG_OK ? RTG_DONE : rtg_error(run, error, "controlling a thread");
}

RTG_TEST(.id = "THR-P-CTL", .title = "Control of threads",
         .question = "How long do start, suspend, resume and a change of priority take, without a "
                     "switch and with one?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {5000, 50000, 500000},
         .about_ns = 10000, .about_ms = 10,
         .params = {{"operation", RTG_CHOICE, "start suspend resume set-priority",
                     "start suspend resume set-priority", "what is done to the other thread"},
                    {"switch", RTG_CHOICE, "no yes", "no yes",
                     "yes: another thread than the caller runs at the end of it"}},
         .series = {{"", "ns", "just before the call",
                     "just after it; with a switch: first thing in the thread that runs then",
                     "the calling thread, at the level HI, and the one that runs", "", RTG_BY_STAMP,
                     ""}},
         .run = run_test);
