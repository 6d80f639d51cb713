/* SYN-P-SIG: one thread signals itself: V then P on a semaphore of its own, or lock
 * and unlock of a mutex. What is left when nobody has to be switched to. */
#include "common/signalling.h"

/* One function for each mechanism, so that the timed path has no branch for it. */
static void signal_semaphore(struct rtg_run *run, struct rtg_sem *sem, uint32_t batch)
{
    while (rtg_next(run)) {
        int errors = 0;
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        for (uint32_t i = 0; i < batch; i++) {
            errors |= rtg_sem_release(sem);
            errors |= rtg_sem_acquire(sem);
        }
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, 0, start, stop, 0);
        if (errors != RTG_OK)
            rtg_broken(run, "the semaphore could not be released and acquired");
    }
}

static void signal_mutex(struct rtg_run *run, struct rtg_mutex *mutex, uint32_t batch)
{
    while (rtg_next(run)) {
        int errors = 0;
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        for (uint32_t i = 0; i < batch; i++) {
            errors |= rtg_mutex_lock(mutex);
            errors |= rtg_mutex_unlock(mutex);
        }
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, 0, start, stop, 0);
        if (errors != RTG_OK)
            rtg_broken(run, "the mutex could not be locked and unlocked");
    }
}

/* RTG_OK when the mechanism is there; the samples are taken then. */
static int measure(struct rtg_run *run)
{
    uint32_t batch = (uint32_t)rtg_number(run, "batch");
    bool native = rtg_is(run, "kind", "native");
    int error;
    if (native || rtg_is(run, "kind", "mutex")) {
        struct rtg_mutex mutex;
        struct rtg_mutex_spec spec = {.kind = native ? RTG_NATIVE : RTG_MUTEX,
                                      .protocol = RTG_INHERIT};
        error = rtg_mutex_create(&mutex, &spec);
        if (error == RTG_OK) {
            signal_mutex(run, &mutex, batch);
            rtg_mutex_destroy(&mutex);
        }
        return error;
    }
    struct rtg_sem sem;
    error = rtg_sem_create(&sem, RTG_COUNTING, name_of_kind(run), 0);
    if (error == RTG_OK) {
        signal_semaphore(run, &sem, batch);
        if (rtg_sem_try(&sem) == RTG_OK)
            rtg_broken(run, "the semaphore holds a unit that nobody released");
        rtg_sem_destroy(&sem);
    }
    return error;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_thread_state before;
    rtg_self_level(run, rtg_role_level(RTG_HI));
    rtg_watch_begin(run, &before);
    int error = measure(run);
    rtg_watch_end(run, &before);
    return error == RTG_OK ? RTG_DONE : rtg_error(run, error, "creating the object");
}

RTG_TEST(.id = "SYN-P-SIG", .title = "Signal and wait in one thread",
         .question = "What do a signal and the wait for it cost when no other thread is involved?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {5000, 50000, 500000},
         .about_ns = 3000, .about_ms = 5,
         .params = {{"kind", RTG_CHOICE, "unnamed named mutex native", "unnamed named mutex native",
                     "a semaphore without or with a name, a mutex, the OS's own lock"},
                    {"batch", RTG_NUMBER, "1 100", "1..1000",
                     "pairs between two stamps; a sample is the time of them all"}},
         .series = {{"", "ns", "just before the signal (or the lock)",
                     "just after the wait (or the unlock)", "the only thread, at the level HI", "",
                     RTG_BY_STAMP, ""}},
         .run = run_test);
