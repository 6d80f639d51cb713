/* SEM-P-NEW: creation and deletion of a semaphore, used or not in between. */
#include <stdatomic.h>

#include "common/roles.h"
#include "common/semaphore.h"

enum { CREATION, DELETION, BATCH_MOST = 64 };

/* A higher thread that uses a semaphore as a waiter does: it blocks on it and is
 * released. That leaves behind whatever the OS puts off until the first use. */
struct user {
    struct rtg_run *run;
    struct rtg_sem gate;
    struct rtg_thread thread;
    struct rtg_sem *_Atomic sem; /* to be used; NULL: the end */
    atomic_uint asked, passed;
    int64_t uses;
};

static void use_when_told(void *arg)
{
    struct user *user = arg;
    struct rtg_sem *sem;
    while (rtg_sem_acquire(&user->gate) == RTG_OK && (sem = atomic_load(&user->sem)) != NULL) {
        atomic_fetch_add(&user->asked, 1);
        rtg_sem_acquire(sem);
        atomic_fetch_add(&user->passed, 1);
    }
}

static void use(struct user *user, struct rtg_sem *sem)
{
    uint32_t before = atomic_load(&user->passed);
    user->uses++;
    atomic_store(&user->sem, sem);
    rtg_sem_release(&user->gate);
    if (atomic_load(&user->asked) != before + 1 || atomic_load(&user->passed) != before)
        rtg_broken(user->run, "the user did not block on the semaphore");
    rtg_sem_release(sem);
    if (atomic_load(&user->passed) != before + 1)
        rtg_broken(user->run, "the user was not released");
}

/* `user` is NULL in the scenario `unused`. */
static int measure_single(struct rtg_run *run, struct user *user)
{
    enum rtg_sem_kind kind = kind_of(run);
    enum rtg_sem_name name = name_of(run);
    struct rtg_sem sem;
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        int error = rtg_sem_create(&sem, kind, name, 0);
        rtg_stamp_t stop = rtg_stamp_stop();
        if (error != RTG_OK)
            return error;
        rtg_record(run, CREATION, start, stop, 0);
        if (user != NULL)
            use(user, &sem);
        rtg_dirty(run);
        start = rtg_stamp_start();
        error = rtg_sem_destroy(&sem);
        stop = rtg_stamp_stop();
        if (error != RTG_OK)
            return error;
        rtg_record(run, DELETION, start, stop, 0);
    }
    return RTG_OK;
}

static int measure_batch(struct rtg_run *run, struct user *user, uint32_t batch)
{
    enum rtg_sem_kind kind = kind_of(run);
    enum rtg_sem_name name = name_of(run);
    struct rtg_sem sem[BATCH_MOST];
    int error = RTG_OK;
    while (error == RTG_OK && rtg_next(run)) {
        uint32_t made = 0, gone = 0;
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        while (made < batch && (error = rtg_sem_create(&sem[made], kind, name, 0)) == RTG_OK)
            made++;
        rtg_stamp_t stop = rtg_stamp_stop();
        if (error == RTG_OK)
            rtg_record(run, CREATION, start, stop, 0);
        for (uint32_t i = 0; user != NULL && i < made; i++)
            use(user, &sem[i]);
        rtg_dirty(run);
        start = rtg_stamp_start();
        while (gone < made && rtg_sem_destroy(&sem[gone]) == RTG_OK)
            gone++;
        stop = rtg_stamp_stop();
        if (error == RTG_OK && gone == batch)
            rtg_record(run, DELETION, start, stop, 0);
        else if (error == RTG_OK)
            error = RTG_EFAIL;
    }
    return error;
}

struct form {
    const struct rtg_run *run;
    struct rtg_sem sem;
};

static void create(void *arg)
{
    struct form *form = arg;
    make_sem(form->run, &form->sem, 0);
}

static void destroy(void *arg)
{
    struct form *form = arg;
    rtg_sem_destroy(&form->sem);
}

static void note_kernel(struct rtg_run *run)
{
    struct form form = {.run = run};
    rtg_evidence_kernel(run, "kernel_entered_create", create, &form);
    if (make_sem(run, &form.sem, 0) != RTG_OK)
        return;
    rtg_evidence_kernel(run, "kernel_entered_delete", destroy, &form);
    rtg_sem_destroy(&form.sem);
}

static enum rtg_outcome run_used(struct rtg_run *run, uint32_t batch, int *error)
{
    struct user user = {.run = run};
    *error = make_gate(&user.gate);
    if (*error != RTG_OK)
        return RTG_DONE;
    bool spawned = rtg_spawn(run, &user.thread, rtg_role_level(RTG_HI), use_when_told, &user);
    if (spawned) {
        struct rtg_thread_state before, after = {.involuntary = 0};
        rtg_thread_query(NULL, &before);
        *error = batch == 1 ? measure_single(run, &user) : measure_batch(run, &user, batch);
        rtg_thread_query(NULL, &after);
        /* The user pre-empts this thread twice in each use; below zero: the system
         * does not count every pre-emption. */
        rtg_evidence_switches(run, "driver_preempted_by_others",
                              (int64_t)(after.involuntary - before.involuntary) - 2 * user.uses);
        rtg_evidence(run, "page_faults", (int64_t)(after.faults - before.faults), "");
        atomic_store(&user.sem, NULL);
        rtg_sem_release(&user.gate);
        rtg_thread_join(&user.thread);
    }
    rtg_sem_destroy(&user.gate);
    return spawned ? RTG_DONE : RTG_INVALID;
}

static void run_unused(struct rtg_run *run, uint32_t batch, int *error)
{
    struct rtg_thread_state before;
    rtg_watch_begin(run, &before);
    *error = batch == 1 ? measure_single(run, NULL) : measure_batch(run, NULL, batch);
    rtg_watch_end(run, &before);
}

static enum rtg_outcome run(struct rtg_run *run)
{
    uint32_t batch = (uint32_t)rtg_number(run, "batch");
    enum rtg_outcome outcome = RTG_DONE;
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    int error = try_form(run);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a semaphore");
    rtg_self_level(run, rtg_role_level(RTG_MID));
    if (rtg_is(run, "scenario", "used"))
        outcome = run_used(run, batch, &error);
    else
        run_unused(run, batch, &error);
    note_kernel(run); /* last: the port may copy the process for it, which costs page faults */
    return error == RTG_OK ? outcome : rtg_error(run, error, "creating and deleting a semaphore");
}

RTG_TEST(.id = "SEM-P-NEW", .title = "semaphore creation and deletion",
         .question = "How long do the creation and the deletion of a semaphore take?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {1000, 20000, 200000},
         .about_ns = 100000, .about_ms = 20,
         .params = {PARAM_KIND,
                    PARAM_NAME("unnamed named"),
                    {"scenario", RTG_CHOICE, "used unused", "used unused",
                     "used: between the two, a higher thread blocks on it and is released"},
                    {"batch", RTG_NUMBER, "1 16", "1..64",
                     "operations between two stamps; a sample is the time of them all"}},
         .series = {{"creation", "ns", "before the create call", "after the create call",
                     "the creating thread, at the level MID", "", RTG_BY_STAMP, ""},
                    {"deletion", "ns", "before the destroy call", "after the destroy call",
                     "the creating thread, at the level MID", "", RTG_BY_STAMP, ""}},
         .run = run);
