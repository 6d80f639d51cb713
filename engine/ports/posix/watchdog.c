/* A thread above all levels that ends the process when a test does not. */
#include "posix.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static uint64_t test_due, run_due; /* ns of the sleep clock, 0: never */

static uint64_t next_due(void)
{
    if (test_due == 0 || (run_due != 0 && run_due < test_due))
        return run_due;
    return test_due;
}

static void *watch(void *unused)
{
    (void)unused;
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
    pthread_mutex_lock(&lock);
    for (;;) {
        uint64_t due = next_due();
        if (due != 0 && rtg_os_now() >= due)
            _exit(RTG_EXIT_WATCHDOG);
        if (due == 0) {
            pthread_cond_wait(&changed, &lock);
        } else {
            struct timespec until = posix_timespec(due);
            pthread_cond_timedwait(&changed, &lock, &until);
        }
    }
    return NULL;
}

void rtg_watchdog(uint64_t ns)
{
    pthread_mutex_lock(&lock);
    test_due = ns == 0 ? 0 : rtg_os_now() + ns;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

int posix_watchdog_start(void)
{
    pthread_condattr_t clock;
    pthread_attr_t attributes;
    pthread_t handle;
    run_due = posix_limits.time_ns == 0 ? 0 : rtg_os_now() + posix_limits.time_ns;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &clock);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (posix_highest_priority() > 0) {
        struct sched_param param = {.sched_priority = posix_highest_priority()};
        pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
        pthread_attr_setschedparam(&attributes, &param);
    }
    int error = pthread_create(&handle, &attributes, watch, NULL);
    pthread_attr_destroy(&attributes);
    return posix_error(error);
}
