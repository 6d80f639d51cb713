/* Tries of threads and of what they synchronise by. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "features_try.h"

enum { MS = 1000000, STACK = 256 * 1024 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int state;

static struct timespec in_ns(uint64_t ns)
{
    return posix_timespec(posix_read_clock(CLOCK_REALTIME) + ns);
}

static void *give_back(void *arg)
{
    return arg;
}

static void *wait_to_be_ended(void *unused)
{
    while (state == 0)
        pause();
    return unused;
}

static int control(void)
{
    pthread_t t;
    void *result = NULL;
    bool right = pthread_create(&t, NULL, give_back, &state) == 0 &&
                 pthread_join(t, &result) == 0 && result == &state;
    right =
        right && pthread_create(&t, NULL, wait_to_be_ended, NULL) == 0 && pthread_cancel(t) == 0;
    return works(right && pthread_join(t, &result) == 0 && result == PTHREAD_CANCELED);
}

/* Tells whether the thread that runs it is on the stack that `arg` points to. */
static void *on_stack(void *arg)
{
    char here, *stack = arg;
    return (void *)(uintptr_t)(&here >= stack && &here < stack + STACK);
}

static int attributes(void)
{
    void *stack = NULL;
    pthread_attr_t with;
    pthread_t t;
    void *inside = NULL;
    size_t size = 0;
    bool right = posix_memalign(&stack, 4096, STACK) == 0 && pthread_attr_init(&with) == 0 &&
                 pthread_attr_setstack(&with, stack, STACK) == 0 &&
                 pthread_attr_getstacksize(&with, &size) == 0 && size == STACK;
    return works(right && pthread_create(&t, &with, on_stack, stack) == 0 &&
                 pthread_join(t, &inside) == 0 && inside != NULL);
}

static void *own_priority(void *unused)
{
    struct sched_param param = {0};
    int policy = 0;
    (void)unused;
    pthread_getschedparam(pthread_self(), &policy, &param);
    return (void *)(intptr_t)(policy == SCHED_FIFO ? param.sched_priority : -1);
}

static int scheduling(void)
{
    struct sched_param param = {.sched_priority = sched_get_priority_min(SCHED_FIFO) + 2};
    pthread_attr_t with;
    pthread_t t;
    void *is = NULL;
    bool right = pthread_attr_init(&with) == 0 &&
                 pthread_attr_setinheritsched(&with, PTHREAD_EXPLICIT_SCHED) == 0 &&
                 pthread_attr_setschedpolicy(&with, SCHED_FIFO) == 0 &&
                 pthread_attr_setschedparam(&with, &param) == 0;
    int error = right ? pthread_create(&t, &with, own_priority, NULL) : ENOSYS;
    if (error != 0)
        return failed(error);
    return works(pthread_join(t, &is) == 0 && (intptr_t)is == param.sched_priority);
}

static void *try_lock(void *m)
{
    return (void *)(intptr_t)pthread_mutex_trylock(m);
}

/* What another thread gets that tries to lock it. */
static int locked_for_others(pthread_mutex_t *m)
{
    pthread_t t;
    void *result = NULL;
    if (pthread_create(&t, NULL, try_lock, m) != 0 || pthread_join(t, &result) != 0)
        return -1;
    return (int)(intptr_t)result;
}

static int mutexes(void)
{
    pthread_mutexattr_t with;
    pthread_mutex_t strict;
    bool right = pthread_mutex_lock(&mutex) == 0 && locked_for_others(&mutex) == EBUSY &&
                 pthread_mutex_unlock(&mutex) == 0;
    right = right && pthread_mutexattr_init(&with) == 0 &&
            pthread_mutexattr_settype(&with, PTHREAD_MUTEX_ERRORCHECK) == 0 &&
            pthread_mutex_init(&strict, &with) == 0;
    return works(right && pthread_mutex_unlock(&strict) == EPERM &&
                 pthread_mutex_lock(&strict) == 0 && pthread_mutex_lock(&strict) == EDEADLK);
}

static int inheritance(void)
{
    pthread_mutexattr_t with;
    pthread_mutex_t m;
    int protocol = -1;
    bool right = pthread_mutexattr_init(&with) == 0 &&
                 pthread_mutexattr_setprotocol(&with, PTHREAD_PRIO_INHERIT) == 0 &&
                 pthread_mutexattr_getprotocol(&with, &protocol) == 0 &&
                 protocol == PTHREAD_PRIO_INHERIT && pthread_mutex_init(&m, &with) == 0;
    return works(right && pthread_mutex_lock(&m) == 0 && locked_for_others(&m) == EBUSY &&
                 pthread_mutex_unlock(&m) == 0);
}

/* A thread above the ceiling is refused, one at the ceiling is not. */
static int ceiling(void)
{
#ifdef RTG_POSIX_NO_PRIO_PROTECT
    return RTG_ENOSUP;
#else
    pthread_mutexattr_t with;
    pthread_mutex_t m;
    int lowest = sched_get_priority_min(SCHED_FIFO);
    bool right = pthread_mutexattr_init(&with) == 0 &&
                 pthread_mutexattr_setprotocol(&with, PTHREAD_PRIO_PROTECT) == 0 &&
                 pthread_mutexattr_setprioceiling(&with, lowest + 1) == 0 &&
                 pthread_mutex_init(&m, &with) == 0;
    int error = right ? posix_try_policy(SCHED_FIFO, 1) : ENOSYS;
    if (error != 0)
        return failed(error);
    right = pthread_mutex_lock(&m) == 0 && pthread_mutex_unlock(&m) == 0;
    return works(right && posix_try_policy(SCHED_FIFO, 2) == 0 && pthread_mutex_lock(&m) == EINVAL);
#endif
}

static void *signal_it(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    state = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static int conditions(void)
{
    struct timespec due = in_ns(2 * MS);
    pthread_t t;
    pthread_mutex_lock(&mutex);
    bool right = pthread_cond_timedwait(&condition, &mutex, &due) == ETIMEDOUT &&
                 pthread_create(&t, NULL, signal_it, NULL) == 0;
    while (right && state == 0)
        right = pthread_cond_wait(&condition, &mutex) == 0;
    return works(right && pthread_mutex_unlock(&mutex) == 0 && pthread_join(t, NULL) == 0);
}

static volatile sig_atomic_t handled;
static pthread_t handler_ran_in;

static void handle(int number)
{
    (void)number;
    handler_ran_in = pthread_self();
    handled = 1;
}

static void *wait_for_handler(void *unused)
{
    struct timespec nap = {.tv_nsec = MS};
    for (int i = 0; i < 1000 && !handled; i++)
        nanosleep(&nap, NULL);
    return unused;
}

static int signals(void)
{
    struct sigaction action;
    pthread_t t;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    bool right = sigaction(SIGUSR1, &action, NULL) == 0 &&
                 pthread_create(&t, NULL, wait_for_handler, NULL) == 0 &&
                 pthread_kill(t, SIGUSR1) == 0 && pthread_join(t, NULL) == 0;
    return works(right && handled && pthread_equal(handler_ran_in, t));
}

static pthread_barrier_t barrier;

static void *meet(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)pthread_barrier_wait(&barrier);
}

static int barriers(void)
{
    pthread_t t;
    void *theirs = NULL;
    if (pthread_barrier_init(&barrier, NULL, 2) != 0 || pthread_create(&t, NULL, meet, NULL) != 0)
        return RTG_ENOSUP;
    int own = pthread_barrier_wait(&barrier);
    return works(pthread_join(t, &theirs) == 0 &&
                 (own == PTHREAD_BARRIER_SERIAL_THREAD) !=
                     ((intptr_t)theirs == PTHREAD_BARRIER_SERIAL_THREAD));
}

static int reader_writer(void)
{
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    bool right = pthread_rwlock_rdlock(&lock) == 0 && pthread_rwlock_tryrdlock(&lock) == 0 &&
                 pthread_rwlock_trywrlock(&lock) == EBUSY;
    right = right && pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0;
    return works(right && pthread_rwlock_wrlock(&lock) == 0 &&
                 pthread_rwlock_tryrdlock(&lock) == EBUSY);
}

static int spinning(void)
{
    pthread_spinlock_t lock;
    return works(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0 &&
                 pthread_spin_lock(&lock) == 0 && pthread_spin_trylock(&lock) == EBUSY &&
                 pthread_spin_unlock(&lock) == 0 && pthread_spin_trylock(&lock) == 0);
}

const struct feature posix_thread_features[RTG_FIRST_API] = {
    [RTG_POSIX_THREAD_CONTROL] = {control, "pthread_create, pthread_join, pthread_cancel", 0},
    [RTG_POSIX_THREAD_ATTRIBUTES] = {attributes, "pthread_attr_setstack, seen in the thread", 0},
    [RTG_POSIX_THREAD_SCHEDULING] = {scheduling, "pthread_attr_setschedparam, read back", 0},
    [RTG_POSIX_MUTEXES] = {mutexes, "pthread_mutex_lock, with checks of errors", 0},
    [RTG_POSIX_MUTEX_INHERITANCE] = {inheritance,
                                     "PTHREAD_PRIO_INHERIT (MUT-B-ARC tells what it does)", 0},
    [RTG_POSIX_MUTEX_CEILING] = {ceiling, "PTHREAD_PRIO_PROTECT refuses above the ceiling", 0},
    [RTG_POSIX_CONDITION_VARIABLES] = {conditions, "pthread_cond_wait and _timedwait", 0},
    [RTG_POSIX_THREAD_SIGNALS] = {signals, "pthread_kill; the handler runs in that thread", 0},
    [RTG_POSIX_BARRIERS] = {barriers, "pthread_barrier_wait of two threads", 0},
    [RTG_POSIX_READER_WRITER_LOCKS] = {reader_writer, "pthread_rwlock_*", 0},
    [RTG_POSIX_SPIN_LOCKS] = {spinning, "pthread_spin_*", 0},
};
