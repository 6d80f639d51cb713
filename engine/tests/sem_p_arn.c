/* SEM-P-ARN: acquire and release of a semaphore that nobody else wants. */
#include "common/semaphore.h"

enum { ACQUIRE, RELEASE };

static void acquire(void *sem)
{
    rtg_sem_acquire(sem);
}

static void release(void *sem)
{
    rtg_sem_release(sem);
}

/* Each on a semaphore of its own: where the operation runs in another process, a
 * named one keeps what was done to it. */
static void note_kernel(struct rtg_run *run)
{
    struct rtg_sem sem;
    if (make_sem(run, &sem, 1) == RTG_OK) {
        rtg_evidence_kernel(run, "kernel_entered_acquire", acquire, &sem);
        rtg_sem_destroy(&sem);
    }
    if (make_sem(run, &sem, 0) == RTG_OK) {
        rtg_evidence_kernel(run, "kernel_entered_release", release, &sem);
        rtg_sem_destroy(&sem);
    }
}

static void measure_single(struct rtg_run *run, struct rtg_sem *sem)
{
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        int error = rtg_sem_acquire(sem);
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, ACQUIRE, start, stop, 0);
        rtg_dirty(run);
        rtg_stamp_t start_release = rtg_stamp_start();
        int error_release = rtg_sem_release(sem);
        rtg_stamp_t stop_release = rtg_stamp_stop();
        rtg_record(run, RELEASE, start_release, stop_release, 0);
        if (error != RTG_OK || error_release != RTG_OK)
            rtg_broken(run, "a free semaphore could not be acquired and released");
    }
}

static void measure_batch(struct rtg_run *run, struct rtg_sem *sem, uint32_t batch)
{
    while (rtg_next(run)) {
        int errors = 0;
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        for (uint32_t i = 0; i < batch; i++)
            errors |= rtg_sem_acquire(sem);
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, ACQUIRE, start, stop, 0);
        rtg_dirty(run);
        rtg_stamp_t start_release = rtg_stamp_start();
        for (uint32_t i = 0; i < batch; i++)
            errors |= rtg_sem_release(sem);
        rtg_stamp_t stop_release = rtg_stamp_stop();
        rtg_record(run, RELEASE, start_release, stop_release, 0);
        if (errors != RTG_OK)
            rtg_broken(run, "a free semaphore could not be acquired and released");
    }
}

/* After the loop the semaphore must hold what it began with: no operation was
 * lost, and none had to wait. */
static void prove_count(struct rtg_run *run, struct rtg_sem *sem, uint32_t expected)
{
    uint32_t taken = 0;
    while (taken <= expected && rtg_sem_try(sem) == RTG_OK)
        taken++;
    if (taken != expected)
        rtg_broken(run, "the semaphore does not hold the count that it began with");
}

static enum rtg_outcome run(struct rtg_run *run)
{
    struct rtg_sem sem;
    struct rtg_thread_state before;
    uint32_t batch = (uint32_t)rtg_number(run, "batch");
    int error = try_form(run);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a semaphore");
    if (batch > rtg_sem_max(kind_of(run)))
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          "a semaphore of this kind cannot be acquired so often in a row");
    error = make_sem(run, &sem, batch);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating the semaphore");
    rtg_self_level(run, rtg_role_level(RTG_HI));
    rtg_watch_begin(run, &before);
    if (batch == 1)
        measure_single(run, &sem);
    else
        measure_batch(run, &sem, batch);
    rtg_watch_end(run, &before);
    prove_count(run, &sem, batch);
    rtg_sem_destroy(&sem);
    note_kernel(run); /* last: the port may copy the process for it, which costs page faults */
    return RTG_DONE;
}

RTG_TEST(.id = "SEM-P-ARN", .title = "semaphore acquire and release, no contention",
         .question = "How long do acquire and release take when nobody else wants the semaphore?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {5000, 50000, 500000},
         .about_ns = 2000, .about_ms = 20,
         .params = {PARAM_KIND,
                    PARAM_NAME("unnamed named"),
                    {"batch", RTG_NUMBER, "1 100", "1..1000",
                     "operations between two stamps; a sample is the time of them all"}},
         .series = {{"acquire", "ns", "before the acquire", "after the acquire",
                     "the only thread, at the level HI", "", RTG_BY_STAMP, ""},
                    {"release", "ns", "before the release", "after the release",
                     "the only thread, at the level HI", "", RTG_BY_STAMP, ""}},
         .run = run);
