/* Sleeping, timers and clocks by POSIX calls. */
#include "posix.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { SECOND = 1000000000, TIMERS = 8 };

struct timespec posix_timespec(uint64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / SECOND), .tv_nsec = (long)(ns % SECOND)};
}

uint64_t posix_read_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

struct timespec posix_realtime_at(uint64_t due_ns)
{
    uint64_t now = rtg_os_now();
    uint64_t wall = posix_read_clock(CLOCK_REALTIME);
    return posix_timespec(due_ns > now ? wall + (due_ns - now) : wall);
}

/* A thread that wakes up finds cold caches. What it runs before it reads the clock
 * is kept short, and both functions beside each other, so that few lines and pages
 * have to be fetched in between. */
int rtg_sleep_until(uint64_t due_ns)
{
    struct timespec until = posix_timespec(due_ns);
    int error;
    do
        error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    while (error == EINTR);
    return error == 0 ? RTG_OK : posix_error(error);
}

uint64_t rtg_os_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

int rtg_sleep_for(uint64_t ns)
{
    struct timespec left = posix_timespec(ns);
    int error;
    do
        error = clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left);
    while (error == EINTR);
    return error == 0 ? RTG_OK : posix_error(error);
}

/* ---- timers: one real-time signal each, taken by sigwaitinfo ------------- */

static atomic_bool taken[TIMERS];

void posix_signals_block(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    for (int i = 0; i < TIMERS; i++)
        sigaddset(&set, SIGRTMIN + i);
    sigaddset(&set, POSIX_QUEUED_SIGNAL);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static int take_signal(void)
{
    for (int i = 0; i < TIMERS; i++) {
        bool expected = false;
        if (atomic_compare_exchange_strong(&taken[i], &expected, true))
            return SIGRTMIN + i;
    }
    return 0;
}

int rtg_timer_create(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns)
{
    struct sigevent event;
    struct itimerspec times = {.it_value = posix_timespec(first_ns),
                               .it_interval = posix_timespec(period_ns)};
    t->file = -1;
    t->signal = take_signal();
    if (t->signal == 0)
        return RTG_EFULL;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = t->signal;
    if (timer_create(CLOCK_MONOTONIC, &event, &t->timer) != 0) {
        int error = errno;
        atomic_store(&taken[t->signal - SIGRTMIN], false);
        return posix_error(error);
    }
    if (timer_settime(t->timer, TIMER_ABSTIME, &times, NULL) != 0) {
        int error = errno;
        rtg_timer_destroy(t);
        return posix_error(error);
    }
    return RTG_OK;
}

int rtg_timer_create_native(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns)
{
    return os_timer_create(&t->file, first_ns, period_ns);
}

int rtg_timer_wait(struct rtg_timer *t, uint64_t *expiries)
{
    if (t->file >= 0)
        return os_timer_wait(t->file, expiries);
    sigset_t set;
    siginfo_t info;
    int got;
    sigemptyset(&set);
    sigaddset(&set, t->signal);
    do
        got = sigwaitinfo(&set, &info);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return posix_error(errno);
    *expiries = 1 + (uint64_t)timer_getoverrun(t->timer);
    return RTG_OK;
}

/* An expiry that nobody waited for stays pending: it is taken away before the
 * signal may serve another timer. */
int rtg_timer_destroy(struct rtg_timer *t)
{
    sigset_t set;
    struct timespec now = {0};
    if (t->file >= 0)
        return close(t->file) == 0 ? RTG_OK : posix_error(errno);
    int result = timer_delete(t->timer);
    int error = result == 0 ? RTG_OK : posix_error(errno);
    sigemptyset(&set);
    sigaddset(&set, t->signal);
    while (sigtimedwait(&set, NULL, &now) > 0)
        ;
    atomic_store(&taken[t->signal - SIGRTMIN], false);
    return error;
}

/* ---- clocks ------------------------------------------------------------- */

static uint64_t read_realtime(void)
{
    return posix_read_clock(CLOCK_REALTIME);
}

static uint64_t resolution_of(clockid_t id)
{
    struct timespec t;
    if (clock_getres(id, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

int rtg_os_clock(uint32_t index, struct rtg_os_clock *clock)
{
    if (index == 0)
        *clock =
            (struct rtg_os_clock){"CLOCK_MONOTONIC", resolution_of(CLOCK_MONOTONIC), rtg_os_now};
    else if (index == 1)
        *clock =
            (struct rtg_os_clock){"CLOCK_REALTIME", resolution_of(CLOCK_REALTIME), read_realtime};
    else
        return os_clock(index - 2, clock);
    return RTG_OK;
}
