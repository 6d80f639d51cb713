/* A thread above all levels that ends the process when a test does not. It waits for no lock: one
 * of a lower thread's would keep it from waking as long as a thread between the two spins. */
#include "posix.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#define NEVER UINT64_MAX
#define LONGEST UINT64_C(86400000000000) /* ns of one sleep */

enum { WAKE = SIGUSR1 };

static pthread_t watcher;
static _Atomic uint64_t test_due = NEVER; /* ns of the sleep clock */
static uint64_t run_due = NEVER;

static uint64_t next_due(void)
{
    uint64_t due = atomic_load(&test_due);
    return due < run_due ? due : run_due;
}

static void *watch(void *unused)
{
    (void)unused;
    sigset_t stop, wake;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigemptyset(&wake);
    sigaddset(&wake, WAKE);
    pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
    for (;;) {
        uint64_t due = next_due(), now = rtg_os_now();
        if (due <= now)
            _exit(RTG_EXIT_WATCHDOG);
        struct timespec left = posix_timespec(due - now < LONGEST ? due - now : LONGEST);
        sigtimedwait(&wake, NULL, &left);
    }
    return NULL;
}

void rtg_watchdog(uint64_t ns)
{
    atomic_store(&test_due, ns == 0 ? NEVER : rtg_os_now() + ns);
    pthread_kill(watcher, WAKE);
}

int posix_watchdog_start(void)
{
    pthread_attr_t attributes;
    sigset_t wake;
    if (posix_limits.time_ns != 0)
        run_due = rtg_os_now() + posix_limits.time_ns;
    sigemptyset(&wake);
    sigaddset(&wake, WAKE);
    pthread_sigmask(SIG_BLOCK, &wake, NULL); /* here, so that all threads have it blocked */
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (posix_highest_priority() > 0) {
        struct sched_param param = {.sched_priority = posix_highest_priority()};
        pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
        pthread_attr_setschedparam(&attributes, &param);
    }
    int error = pthread_create(&watcher, &attributes, watch, NULL);
    pthread_attr_destroy(&attributes);
    return posix_error(error);
}
