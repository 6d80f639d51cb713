/* SEM-B-LCK: acquire blocks only at zero, release adds one, a release that wakes a
 * higher thread reschedules, and the count has a largest value that holds. */
#include <stdatomic.h>

#include "common/levels.h"
#include "common/semaphore.h"

enum { SETTLE_NS = 1000000 };

/* A thread that acquires a semaphore `wanted` times. */
struct taker {
    struct rtg_sem *sem;
    uint32_t wanted;
    atomic_bool begun;
    atomic_uint taken;
    struct rtg_thread thread;
};

static void take(void *arg)
{
    struct taker *taker = arg;
    atomic_store(&taker->begun, true);
    while (atomic_load(&taker->taken) < taker->wanted && rtg_sem_acquire(taker->sem) == RTG_OK)
        atomic_fetch_add(&taker->taken, 1);
}

/* Creates a thread above the driver and lets it go until it stops: it blocks, or has
 * all that it wants. It does so at once; but what holds it up for a moment, such as a
 * page fault, must not pass for a semaphore that blocks. */
static bool start(struct rtg_run *run, struct taker *taker, uint32_t level)
{
    if (!rtg_spawn(run, &taker->thread, level, take, taker))
        return false;
    rtg_sleep_for(SETTLE_NS);
    if (!atomic_load(&taker->begun))
        rtg_broken(run, "a thread above the driver did not begin when it was created");
    return true;
}

/* How many a higher thread gets of a semaphore that begins at `initial` before it
 * blocks or has all that it wants: when the driver goes on, it did one of both.
 * -1: the scene could not be set. */
static int64_t taken_before_stop(struct rtg_run *run, uint32_t initial, uint32_t wanted)
{
    struct rtg_sem sem;
    struct taker taker = {.sem = &sem, .wanted = wanted};
    int64_t taken = -1;
    if (make_sem(run, &sem, initial) != RTG_OK)
        return -1;
    if (start(run, &taker, rtg_role_level(RTG_HI))) {
        taken = atomic_load(&taker.taken);
        for (uint32_t left = wanted - (uint32_t)taken; left > 0; left--)
            rtg_sem_release(&sem);
        rtg_thread_join(&taker.thread);
    }
    rtg_sem_destroy(&sem);
    return taken;
}

static void check_blocking(struct rtg_run *run, uint32_t count)
{
    int64_t one_short = taken_before_stop(run, count - 1, count);
    int64_t enough = taken_before_stop(run, count, count);
    if (one_short < 0 || enough < 0) {
        rtg_broken(run, "the scene of the blocking acquire could not be set");
        return;
    }
    rtg_check(run, RTG_PROPERTY, "blocks-at-zero", one_short == (int64_t)count - 1,
              "a thread gets all that the semaphore holds without blocking and blocks at zero");
    rtg_check(run, RTG_CONTROL, "blocks-above-zero", enough != (int64_t)count,
              "a thread blocks although the semaphore holds enough");
}

/* How many acquires succeed without waiting on a semaphore that begins at zero and
 * was released `releases` times; *told receives the value that the system tells. */
static uint32_t held_after(struct rtg_run *run, uint32_t releases, int *error, uint32_t *told)
{
    struct rtg_sem sem;
    uint32_t held = 0;
    *error = make_sem(run, &sem, 0);
    if (*error != RTG_OK)
        return 0;
    for (uint32_t i = 0; i < releases; i++)
        rtg_sem_release(&sem);
    *error = rtg_sem_value(&sem, told);
    while (held <= releases && rtg_sem_try(&sem) == RTG_OK)
        held++;
    rtg_sem_destroy(&sem);
    return held;
}

static void check_counting(struct rtg_run *run, uint32_t count)
{
    int error, ignored;
    uint32_t told = 0, unused;
    uint32_t held = held_after(run, count, &error, &told);
    uint32_t without = held_after(run, 0, &ignored, &unused);
    rtg_check(run, RTG_PROPERTY, "increments", held == count,
              "every release without a waiter adds one that can be acquired, and no more");
    rtg_check(run, RTG_CONTROL, "increments-unreleased", without != 0,
              "a semaphore that begins at zero can be acquired without a release");
    if (error == RTG_OK)
        rtg_check(run, RTG_PROPERTY, "value", told == count,
                  "the value that the system tells is the number of releases");
    else
        rtg_unchecked(run, "value", "the system does not tell the value of a semaphore");
}

enum ran { RAN_NOT, RAN_BEFORE, RAN_LATER, RAN_UNKNOWN };

/* Whether a waiter at `waiter` has run when the release returns to a driver that
 * stands at `driver`. Both end before the answer is given. */
static enum ran ran_at_release(struct rtg_run *run, uint32_t driver, uint32_t waiter)
{
    struct rtg_sem sem;
    struct taker taker = {.sem = &sem, .wanted = 1};
    enum ran ran = RAN_UNKNOWN;
    if (make_sem(run, &sem, 0) != RTG_OK)
        return RAN_UNKNOWN;
    if (start(run, &taker, waiter)) {
        bool early = atomic_load(&taker.taken) != 0;
        rtg_self_level(run, driver);
        int error = rtg_sem_release(&sem);
        bool at_once = atomic_load(&taker.taken) != 0;
        rtg_self_level(run, rtg_role_level(RTG_LO));
        bool later = atomic_load(&taker.taken) != 0;
        rtg_thread_join(&taker.thread);
        ran = early || error != RTG_OK ? RAN_UNKNOWN
              : at_once                ? RAN_BEFORE
              : later                  ? RAN_LATER
                                       : RAN_NOT;
    }
    rtg_sem_destroy(&sem);
    return ran;
}

static void check_rescheduling(struct rtg_run *run)
{
    uint32_t low = rtg_role_level(RTG_LO), middle = rtg_role_level(RTG_MID);
    enum ran higher = ran_at_release(run, low, middle);
    enum ran equal = ran_at_release(run, middle, middle);
    enum ran lower = ran_at_release(run, rtg_role_level(RTG_HI), middle);
    if (higher == RAN_UNKNOWN || equal == RAN_UNKNOWN || lower == RAN_UNKNOWN) {
        rtg_broken(run, "a waiter did not block, or could not be released");
        return;
    }
    rtg_check(run, RTG_PROPERTY, "reschedule", higher == RAN_BEFORE,
              "a waiter above the releasing thread has run when the release returns");
    rtg_check(run, RTG_PROPERTY, "released", equal != RAN_NOT && lower != RAN_NOT,
              "a waiter that is not above the releasing thread runs when that one makes way");
    rtg_check(run, RTG_CONTROL, "reschedule-equal", equal == RAN_BEFORE,
              "a waiter of the same level has run when the release returns");
    rtg_check(run, RTG_CONTROL, "reschedule-lower", lower == RAN_BEFORE,
              "a waiter of a lower level has run when the release returns");
}

/* Whether a release of a semaphore that begins at `initial` is refused and takes
 * nothing away. */
static bool refused_at(struct rtg_run *run, uint32_t initial, int *error)
{
    struct rtg_sem sem;
    uint32_t told = initial;
    *error = make_sem(run, &sem, initial);
    if (*error != RTG_OK)
        return false;
    int answer = rtg_sem_release(&sem);
    rtg_sem_value(&sem, &told); /* leaves `told` as it is where values are not told */
    bool usable = rtg_sem_try(&sem) == RTG_OK && rtg_sem_release(&sem) == RTG_OK;
    rtg_sem_destroy(&sem);
    return answer == RTG_EFULL && told == initial && usable;
}

static void check_largest(struct rtg_run *run)
{
    int error, error_below;
    uint32_t most = rtg_sem_max(kind_of(run));
    bool refused = refused_at(run, most, &error);
    bool below = refused_at(run, most - 1, &error_below);
    rtg_evidence(run, "largest_count", most, "");
    rtg_check(run, RTG_PROPERTY, "largest-count", error == RTG_OK && refused,
              "a semaphore can hold its largest count; one release more is refused with an "
              "error, and the count stays");
    if (error_below == RTG_OK)
        rtg_check(run, RTG_CONTROL, "refused-below-largest", below,
                  "a release below the largest count is refused as well");
    else
        rtg_unchecked(run, "refused-below-largest",
                      "a semaphore could not be made with one less than the largest count");
}

static enum rtg_outcome run(struct rtg_run *run)
{
    int error = try_form(run);
    uint32_t most = rtg_sem_max(kind_of(run));
    uint32_t count = most < 4 ? most : 4;
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a semaphore");
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    rtg_self_level(run, rtg_role_level(RTG_LO));
    check_blocking(run, count);
    check_counting(run, count);
    check_rescheduling(run);
    check_largest(run);
    return RTG_DONE;
}

RTG_TEST(.id = "SEM-B-LCK", .title = "semaphore locking behaviour",
         .question = "Does a semaphore block only at zero, count every release, and let a higher "
                     "waiter run at once?",
         .needs = RTG_NEEDS_REALTIME, .about_ms = 20, .params = {PARAM_KIND, PARAM_NAME("unnamed")},
         .run = run);
