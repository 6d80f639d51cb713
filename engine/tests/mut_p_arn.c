/* MUT-P-ARN: lock and unlock of a free mutex. `batch` locks so many mutexes
 * between two stamps, for clocks that are too coarse for one. */
#include "common/roles.h"

enum { ACQUIRE, RELEASE, MOST = 64 };

static struct rtg_mutex mutex[MOST];

static void lock_one(void *arg)
{
    rtg_mutex_lock(arg);
}

static void lock_and_unlock(void *arg)
{
    rtg_mutex_lock(arg);
    rtg_mutex_unlock(arg);
}

static void sample_one(struct rtg_run *run)
{
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        int error = rtg_mutex_lock(&mutex[0]);
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, ACQUIRE, start, stop, 0);
        rtg_dirty(run);
        rtg_stamp_t start_release = rtg_stamp_start();
        int error_release = rtg_mutex_unlock(&mutex[0]);
        rtg_stamp_t stop_release = rtg_stamp_stop();
        rtg_record(run, RELEASE, start_release, stop_release, 0);
        if (error != RTG_OK || error_release != RTG_OK)
            rtg_broken(run, "a free mutex could not be locked and unlocked");
    }
}

static void sample_batches(struct rtg_run *run, uint32_t batch)
{
    while (rtg_next(run)) {
        int errors = 0;
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        for (uint32_t i = 0; i < batch; i++)
            errors |= rtg_mutex_lock(&mutex[i]);
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, ACQUIRE, start, stop, 0);
        rtg_dirty(run);
        rtg_stamp_t start_release = rtg_stamp_start();
        for (uint32_t i = batch; i > 0; i--)
            errors |= rtg_mutex_unlock(&mutex[i - 1]);
        rtg_stamp_t stop_release = rtg_stamp_stop();
        rtg_record(run, RELEASE, start_release, stop_release, 0);
        if (errors != RTG_OK)
            rtg_broken(run, "a free mutex could not be locked and unlocked");
    }
}

/* Premise: each lock really holds, and each unlock really frees. */
static bool locks_work(struct rtg_mutex *m)
{
    bool locked = rtg_mutex_lock(m) == RTG_OK;
    bool held = locked && rtg_mutex_try(m) == RTG_EBUSY;
    bool freed = locked && rtg_mutex_unlock(m) == RTG_OK && rtg_mutex_try(m) == RTG_OK;
    if (freed)
        rtg_mutex_unlock(m);
    return held && freed;
}

/* On a mutex of its own: where the call is not tried in another process, it is
 * left locked. */
static void find_kernel_entries(struct rtg_run *run, const struct rtg_mutex_spec *spec)
{
    struct rtg_mutex other;
    if (rtg_mutex_create(&other, spec) != RTG_OK)
        return;
    rtg_evidence_kernel(run, "kernel_entered_acquire_release", lock_and_unlock, &other);
    rtg_evidence_kernel(run, "kernel_entered_acquire", lock_one, &other);
    rtg_mutex_try(&other);
    rtg_mutex_unlock(&other);
    rtg_mutex_destroy(&other);
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    uint32_t batch = (uint32_t)rtg_number(run, "batch"), made = 0;
    struct rtg_mutex_spec spec = {.kind = rtg_is(run, "kind", "native") ? RTG_NATIVE : RTG_MUTEX,
                                  .protocol = rtg_is(run, "protocol", "inherit")   ? RTG_INHERIT
                                              : rtg_is(run, "protocol", "protect") ? RTG_PROTECT
                                                                                   : RTG_NONE,
                                  .ceiling = rtg_role_level(RTG_HI)};
    int error = RTG_OK;
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    rtg_self_level(run, rtg_role_level(RTG_MID)); /* below the ceiling, which costs most */
    while (made < batch && (error = rtg_mutex_create(&mutex[made], &spec)) == RTG_OK)
        made++;
    for (uint32_t i = 0; i < made && error == RTG_OK; i++) {
        if (!locks_work(&mutex[i]))
            rtg_broken(run, "the mutex does not lock, or does not unlock");
    }
    if (error == RTG_OK) {
        struct rtg_thread_state before;
        rtg_watch_begin(run, &before);
        if (batch == 1)
            sample_one(run);
        else
            sample_batches(run, batch);
        rtg_watch_end(run, &before);
        find_kernel_entries(run, &spec); /* at last: it may leave traces in the memory */
    }
    while (made > 0)
        rtg_mutex_destroy(&mutex[--made]);
    rtg_self_level(run, rtg_role_level(RTG_TOP));
    return error == RTG_OK ? RTG_DONE : rtg_error(run, error, "creating such a mutex");
}

RTG_TEST(.id = "MUT-P-ARN", .title = "Mutex without contention",
         .question = "How long do lock and unlock of a free mutex take, and do they enter the "
                     "kernel?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {10000, 100000, 1000000},
         .about_ns = 500, .about_ms = 50,
         .params = {{"kind", RTG_CHOICE, "mutex native", "mutex native",
                     "the POSIX mutex, or the OS's own lock"},
                    {"protocol", RTG_CHOICE, "inherit protect none", "inherit protect none",
                     "how the lock avoids priority inversion"},
                    {"batch", RTG_NUMBER, "1", "1..64", "mutexes locked between two stamps"}},
         .series = {{"acquire", "ns", "just before the lock call", "just after it",
                     "the only thread, at the level MID", "", RTG_BY_STAMP, ""},
                    {"release", "ns", "just before the unlock call", "just after it",
                     "the only thread, at the level MID", "", RTG_BY_STAMP, ""}},
         .run = run_test);
