/* Tries of single services of threads, clocks, timers and memory, as lists of an API's
 * richness name them. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "features_try.h"

enum { MS = 1000000 };

/* ---- threads --------------------------------------------------------------- */

static int stack(void)
{
    return AS(thread, THREAD_ATTRIBUTES);
}

static int priority(void)
{
    return AS(thread, THREAD_SCHEDULING);
}

static int policy(void)
{
    return AS(realtime, SCHED_FIFO);
}

static int threads(void)
{
    return AS(thread, THREAD_CONTROL);
}

static int identity(void)
{
    return works(pthread_equal(pthread_self(), pthread_self()) != 0);
}

static int memory_lock(void)
{
    return AS(realtime, MEMORY_LOCKING);
}

static int cpu_usage(void)
{
    int error = os_deadline(10 * MS, 100 * MS);
    return error == RTG_OK || error == RTG_EPERM ? error : RTG_ENOSUP;
}

/* ---- clocks and timers ----------------------------------------------------- */

static int time_of_day(void)
{
    uint64_t first = posix_read_clock(CLOCK_REALTIME);
    return works(first > 0 && posix_read_clock(CLOCK_REALTIME) >= first);
}

static int resolution(void)
{
    struct timespec is = {0};
    return works(clock_getres(CLOCK_MONOTONIC, &is) == 0 && (is.tv_sec > 0 || is.tv_nsec > 0));
}

static volatile sig_atomic_t called;

static void call(union sigval value)
{
    called = value.sival_int;
}

static bool make_timer(timer_t *timer, int notify)
{
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = notify;
    event.sigev_signo = SIGRTMIN;
    event.sigev_value.sival_int = 1;
    if (notify == SIGEV_THREAD)
        event.sigev_notify_function = call;
    return timer_create(CLOCK_MONOTONIC, &event, timer) == 0;
}

static int wait_for_expiry(int flags, uint64_t ns, uint64_t interval_ns)
{
    struct itimerspec when = {.it_value = posix_timespec(ns),
                              .it_interval = posix_timespec(interval_ns)};
    struct timespec limit = {.tv_sec = 1};
    timer_t timer;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    bool right = make_timer(&timer, SIGEV_SIGNAL) && timer_settime(timer, flags, &when, NULL) == 0;
    for (int i = 0; i < (interval_ns > 0 ? 3 : 1); i++)
        right = right && sigtimedwait(&set, NULL, &limit) == SIGRTMIN;
    return works(right);
}

static int absolute(void)
{
    uint64_t due = posix_read_clock(CLOCK_MONOTONIC) + 5 * MS;
    int result = wait_for_expiry(TIMER_ABSTIME, due, 0);
    return result == RTG_OK ? works(posix_read_clock(CLOCK_MONOTONIC) >= due) : result;
}

static int relative(void)
{
    uint64_t begin = posix_read_clock(CLOCK_MONOTONIC);
    int result = wait_for_expiry(0, 5 * MS, 0);
    return result == RTG_OK ? works(posix_read_clock(CLOCK_MONOTONIC) >= begin + 5 * MS) : result;
}

static int cyclic(void)
{
    return wait_for_expiry(0, 2 * MS, 2 * MS);
}

static int remaining(void)
{
    struct itimerspec when = {.it_value = {.tv_sec = 100}}, left;
    timer_t timer;
    return works(make_timer(&timer, SIGEV_SIGNAL) && timer_settime(timer, 0, &when, NULL) == 0 &&
                 timer_gettime(timer, &left) == 0 && left.it_value.tv_sec >= 90 &&
                 left.it_value.tv_sec <= 100);
}

static int overruns(void)
{
    struct itimerspec when = {.it_value = posix_timespec(MS), .it_interval = posix_timespec(MS)};
    struct timespec nap = posix_timespec(10 * MS), limit = {.tv_sec = 1};
    timer_t timer;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return works(make_timer(&timer, SIGEV_SIGNAL) && timer_settime(timer, 0, &when, NULL) == 0 &&
                 nanosleep(&nap, NULL) == 0 && sigtimedwait(&set, NULL, &limit) == SIGRTMIN &&
                 timer_getoverrun(timer) >= 5);
}

static int user_routine(void)
{
    struct itimerspec when = {.it_value = posix_timespec(MS)};
    struct timespec nap = posix_timespec(MS);
    timer_t timer;
    bool right = make_timer(&timer, SIGEV_THREAD) && timer_settime(timer, 0, &when, NULL) == 0;
    for (int i = 0; right && i < 1000 && !called; i++)
        nanosleep(&nap, NULL);
    return works(right && called);
}

/* ---- memory ---------------------------------------------------------------- */

static int blocks(void)
{
    volatile char *block = malloc(1000);
    if (block == NULL)
        return RTG_ENOSUP;
    block[999] = 9;
    char *larger = realloc((void *)(uintptr_t)block, 100000);
    bool right = larger != NULL && larger[999] == 9;
    free(larger);
    return works(right);
}

/* Beyond POSIX: there where the library has it. */
extern size_t malloc_usable_size(void *) __attribute__((weak));
struct mallinfo2;
extern struct mallinfo2 mallinfo2(void) __attribute__((weak));

static int block_size(void)
{
    void *block = malloc(1000);
    return works(block != NULL && malloc_usable_size != NULL && malloc_usable_size(block) >= 1000);
}

static int free_bytes(void)
{
    return works(mallinfo2 != NULL);
}

/* ---- the answers ----------------------------------------------------------- */

#define DISTURBS {NULL, "trying it would disturb the system", RTG_EFAIL}

const struct feature posix_api_features[RTG_FEATURES] = {
    [RTG_API_THREAD] = {threads, "pthread_create", 0},
    [RTG_API_THREAD_GET_STACK_SIZE] = {stack, "pthread_attr_getstacksize", 0},
    [RTG_API_THREAD_SET_STACK_SIZE] = {stack, "pthread_attr_setstack", 0},
    [RTG_API_THREAD_GET_STACK_ADDRESS] = {stack, "pthread_attr_setstack, seen in the thread", 0},
    [RTG_API_THREAD_SET_STACK_ADDRESS] = {stack, "pthread_attr_setstack, seen in the thread", 0},
    [RTG_API_THREAD_GET_PRIORITY] = {priority, "pthread_getschedparam", 0},
    [RTG_API_THREAD_SET_PRIORITY] = {priority, "pthread_attr_setschedparam, read back", 0},
    [RTG_API_THREAD_GET_ID] = {identity, "pthread_self and pthread_equal", 0},
    [RTG_API_THREAD_SET_CPU_USAGE] = {cpu_usage, "a reservation of runtime in each period", 0},
    [RTG_API_THREAD_SET_SCHEDULING_POLICY] = {policy, "pthread_setschedparam, read back", 0},
    [RTG_API_THREAD_LOCK_IN_MEMORY] = {memory_lock, "mlock", 0},
    [RTG_API_CLOCK] = {time_of_day, "clock_gettime", 0},
    [RTG_API_CLOCK_GET_TIME_OF_DAY] = {time_of_day, "clock_gettime", 0},
    [RTG_API_CLOCK_SET_TIME_OF_DAY] = DISTURBS,
    [RTG_API_CLOCK_GET_RESOLUTION] = {resolution, "clock_getres", 0},
    [RTG_API_CLOCK_ADJUST_TIME] = DISTURBS,
    [RTG_API_CLOCK_READ_COUNTER_REGISTER] = {NULL, "see CAL-P-TRC, which reads it if it can",
                                             RTG_EFAIL},
    [RTG_API_CLOCK_ADJUST_TIME_AUTOMATICALLY] = DISTURBS,
    [RTG_API_INTERVAL_TIMER] = {relative, "timer_create", 0},
    [RTG_API_INTERVAL_TIMER_EXPIRE_AT_ABSOLUTE_DATE] = {absolute, "timer_settime TIMER_ABSTIME", 0},
    [RTG_API_INTERVAL_TIMER_EXPIRE_AT_RELATIVE_DATE] = {relative, "timer_settime", 0},
    [RTG_API_INTERVAL_TIMER_EXPIRE_CYCLICALLY] = {cyclic, "timer_settime with an interval", 0},
    [RTG_API_INTERVAL_TIMER_GET_REMAINING_TIME] = {remaining, "timer_gettime", 0},
    [RTG_API_INTERVAL_TIMER_GET_OVERRUN_COUNT] = {overruns, "timer_getoverrun", 0},
    [RTG_API_INTERVAL_TIMER_ATTACH_USER_ROUTINE] = {user_routine, "SIGEV_THREAD", 0},
    [RTG_API_VARIABLE_BLOCK_POOL] = {blocks, "malloc, realloc, free", 0},
    [RTG_API_VARIABLE_BLOCK_POOL_GET_BLOCK_SIZE] = {block_size, "malloc_usable_size", 0},
    [RTG_API_VARIABLE_BLOCK_POOL_GET_BLOCK_NON_BLOCKING] = {blocks, "malloc", 0},
    [RTG_API_VARIABLE_BLOCK_POOL_RELEASE_BLOCK] = {blocks, "free", 0},
    [RTG_API_VARIABLE_BLOCK_POOL_EXTEND_BLOCK] = {blocks, "realloc", 0},
    [RTG_API_VARIABLE_BLOCK_POOL_GET_FREE_BYTE_COUNT] = {free_bytes, "mallinfo2", 0},
    [RTG_API_VARIABLE_BLOCK_POOL_LOCK_OR_UNLOCK_POOL_IN_MEMORY] = {memory_lock, "mlockall", 0},
    [RTG_API_VARIABLE_BLOCK_POOL_LOCK_OR_UNLOCK_BLOCK_IN_MEMORY] = {memory_lock, "mlock", 0},
};
