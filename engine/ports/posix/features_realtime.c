/* Tries of the real-time extensions: signals, timers, scheduling, memory, messages. */
#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "features_try.h"

enum { BYTES = 4096, MS = 1000000, EXTRA_SIGNALS = 8, LEVELS = 32 };

static struct timespec in_ns(uint64_t ns)
{
    return posix_timespec(posix_read_clock(CLOCK_REALTIME) + ns);
}

/* ---- signals and timers ---------------------------------------------------- */

static void block(int first, int last, sigset_t *set)
{
    sigemptyset(set);
    for (int i = first; i <= last; i++)
        sigaddset(set, i);
    sigprocmask(SIG_BLOCK, set, NULL);
}

/* The number of the next signal, its value in *value; -1 when none comes in time. */
static int next_signal(const sigset_t *set, int *value)
{
    struct timespec limit = {.tv_sec = 1};
    siginfo_t info = {0};
    int number = sigtimedwait(set, &info, &limit);
    *value = info.si_value.sival_int;
    return number;
}

/* Sent from the highest number to the lowest, each twice: must come the other way round. */
static int queued(int signals)
{
    sigset_t set;
    bool right = SIGRTMAX - SIGRTMIN + 1 >= signals;
    block(SIGRTMIN, SIGRTMIN + signals - 1, &set);
    for (int i = signals - 1; right && i >= 0; i--) {
        for (int k = 0; k < 2; k++)
            right = sigqueue(getpid(), SIGRTMIN + i, (union sigval){.sival_int = k}) == 0 && right;
    }
    for (int i = 0; right && i < 2 * signals; i++) {
        int value, number = next_signal(&set, &value);
        right = number == SIGRTMIN + i / 2 && value == i % 2;
    }
    return works(right);
}

static int realtime_signals(void)
{
    return queued(2);
}

static int extra_signals(void)
{
    return queued(EXTRA_SIGNALS);
}

/* The expiries of a timer that came as signals. */
static int expiries(clockid_t clock, int wanted)
{
    struct sigevent event;
    struct itimerspec when = {.it_value = {.tv_nsec = 2 * MS}, .it_interval = {.tv_nsec = 2 * MS}};
    sigset_t set;
    timer_t timer;
    int got = 0, value;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN;
    block(SIGRTMIN, SIGRTMIN, &set);
    if (timer_create(clock, &event, &timer) != 0 || timer_settime(timer, 0, &when, NULL) != 0)
        return 0;
    while (got < wanted && next_signal(&set, &value) == SIGRTMIN)
        got++;
    return timer_delete(timer) == 0 ? got : 0;
}

static int timers(void)
{
    return works(expiries(CLOCK_REALTIME, 1) == 1);
}

static int periodic_timers(void)
{
    return works(expiries(CLOCK_REALTIME, 3) == 3);
}

static int nanosleep_by_clock(void)
{
    uint64_t due = posix_read_clock(CLOCK_MONOTONIC) + 2 * MS;
    struct timespec until = posix_timespec(due), wrong = {.tv_nsec = -1};
    return works(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0 &&
                 posix_read_clock(CLOCK_MONOTONIC) >= due &&
                 clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL) == EINVAL);
}

/* The clock of the process goes on while it computes, and not while it sleeps. */
static int execution_time(void)
{
    struct timespec nap = {.tv_nsec = 20 * MS};
    clockid_t clock;
    if (clock_getcpuclockid(0, &clock) != 0)
        return RTG_ENOSUP;
    uint64_t begin = posix_read_clock(clock), end = begin;
    for (uint32_t i = 0; i < 100000000 && end < begin + 2 * MS; i++)
        end = posix_read_clock(clock);
    nanosleep(&nap, NULL);
    return works(end >= begin + 2 * MS && posix_read_clock(clock) < end + 10 * MS);
}

/* ---- scheduling ------------------------------------------------------------ */

static int in_force(int policy)
{
    struct sched_param param;
    int is = -1, error = posix_try_policy(policy, policy == SCHED_OTHER ? 0 : 1);
    if (error != 0)
        return failed(error);
    return works(pthread_getschedparam(pthread_self(), &is, &param) == 0 && is == policy);
}

static int fifo(void)
{
    return in_force(SCHED_FIFO);
}

static int round_robin(void)
{
    struct timespec slice = {0};
    int result = in_force(SCHED_RR);
    if (result != RTG_OK)
        return result;
    return works(sched_rr_get_interval(0, &slice) == 0 && (slice.tv_sec > 0 || slice.tv_nsec > 0));
}

static int other(void)
{
    return in_force(SCHED_OTHER);
}

#ifndef SCHED_SPORADIC
#define SCHED_SPORADIC 4 /* where a system that has it but does not tell has it */
#endif

static int sporadic(void)
{
    struct sched_param param = {.sched_priority = 1};
    int error = pthread_setschedparam(pthread_self(), SCHED_SPORADIC, &param);
    return error == 0 ? in_force(SCHED_SPORADIC) : failed(error);
}

static int of_processes(void)
{
    struct sched_param param = {.sched_priority = sched_get_priority_min(SCHED_FIFO) + 1}, is;
    if (sched_setscheduler(0, SCHED_FIFO, &param) != 0)
        return failed(errno);
    return works(sched_getscheduler(0) == SCHED_FIFO && sched_getparam(0, &is) == 0 &&
                 is.sched_priority == param.sched_priority);
}

/* Each of so many priorities is taken and kept. */
static int many_levels(void)
{
    struct sched_param param;
    int policy;
    for (int i = 0; i < LEVELS; i++) {
        int error = posix_try_policy(SCHED_FIFO, i);
        if (error != 0)
            return failed(error);
        if (pthread_getschedparam(pthread_self(), &policy, &param) != 0 ||
            param.sched_priority != sched_get_priority_min(SCHED_FIFO) + i)
            return RTG_ENOSUP;
    }
    return RTG_OK;
}

/* ---- asynchronous input and output ----------------------------------------- */

static int finish(struct aiocb *block_)
{
    const struct aiocb *const list[1] = {block_};
    struct timespec limit = {.tv_sec = 1};
    while (aio_error(block_) == EINPROGRESS) {
        if (aio_suspend(list, 1, &limit) != 0)
            return -1;
    }
    return (int)aio_return(block_);
}

static int asynchronous(void)
{
    char out[4] = "four", in[4] = "";
    int file = posix_try_file();
    struct aiocb to = {.aio_fildes = file, .aio_buf = out, .aio_nbytes = 4, .aio_offset = 8};
    struct aiocb from = {.aio_fildes = file, .aio_buf = in, .aio_nbytes = 4, .aio_offset = 8};
    if (file < 0)
        return RTG_EFAIL;
    bool right = aio_write(&to) == 0 && finish(&to) == 4 && aio_read(&from) == 0;
    return works(right && finish(&from) == 4 && in[0] == 'f' && in[3] == 'r');
}

/* A system that looks at the priority of a request refuses one that does not exist. */
static int prioritised(void)
{
    char out[4] = "four";
    int file = posix_try_file();
    struct aiocb good = {.aio_fildes = file, .aio_buf = out, .aio_nbytes = 4, .aio_reqprio = 1};
    struct aiocb wrong = {.aio_fildes = file, .aio_buf = out, .aio_nbytes = 4, .aio_reqprio = -1};
    if (file < 0)
        return RTG_EFAIL;
    if (aio_write(&good) != 0 || finish(&good) != 4)
        return RTG_ENOSUP;
    if (aio_write(&wrong) != 0)
        return works(errno == EINVAL);
    finish(&wrong);
    return works(aio_error(&wrong) == EINVAL);
}

/* ---- memory ---------------------------------------------------------------- */

static int locking(void)
{
    static char page[2 * BYTES];
    if (mlock(page, sizeof page) != 0)
        return errno == ENOMEM ? RTG_EPERM : failed(errno);
    return works(munlock(page, sizeof page) == 0);
}

static int write_seven(void *at)
{
    *(volatile int *)at = 7;
    return 0;
}

static int shared_memory(void)
{
    char name[64];
    posix_unique_name(name);
    int file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    int again = file < 0 ? -1 : shm_open(name, O_RDWR, 0);
    shm_unlink(name);
    if (file < 0)
        return failed(errno);
    int *at = ftruncate(file, BYTES) == 0
                  ? mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                  : MAP_FAILED;
    int *other_way = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0);
    return works(at != MAP_FAILED && other_way != MAP_FAILED &&
                 posix_try_apart(write_seven, other_way) == 0 && *(volatile int *)at == 7);
}

/* ---- messages and semaphores ----------------------------------------------- */

static mqd_t make_queue(char *name)
{
    struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 8};
    posix_unique_name(name);
    return mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
}

static int messages(void)
{
    char name[64], got[8];
    unsigned priority = 0;
    mqd_t queue = make_queue(name);
    if (queue == (mqd_t)-1)
        return failed(errno);
    mq_unlink(name);
    bool right = mq_send(queue, "low", 3, 1) == 0 && mq_send(queue, "high", 4, 2) == 0;
    return works(right && mq_receive(queue, got, 8, &priority) == 4 && priority == 2 &&
                 mq_receive(queue, got, 8, &priority) == 3 && priority == 1);
}

static int send_by_name(void *name)
{
    mqd_t queue = mq_open(name, O_WRONLY);
    return queue != (mqd_t)-1 && mq_send(queue, "four", 4, 0) == 0 ? 0 : 1;
}

static int named_queues(void)
{
    char name[64], got[8];
    mqd_t queue = make_queue(name);
    if (queue == (mqd_t)-1)
        return failed(errno);
    bool sent = posix_try_apart(send_by_name, name) == 0;
    mq_unlink(name);
    return works(sent && mq_receive(queue, got, 8, NULL) == 4);
}

/* Told of a second message although nobody asked a second time. */
static int persistent_notification(void)
{
    char name[64], got[8];
    struct sigevent event;
    sigset_t set;
    int value;
    struct timespec soon = {.tv_nsec = 50 * MS};
    mqd_t queue = make_queue(name);
    if (queue == (mqd_t)-1)
        return failed(errno);
    mq_unlink(name);
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN;
    block(SIGRTMIN, SIGRTMIN, &set);
    if (mq_notify(queue, &event) != 0 || mq_send(queue, "one", 3, 0) != 0 ||
        next_signal(&set, &value) != SIGRTMIN || mq_receive(queue, got, 8, NULL) != 3)
        return RTG_ENOSUP;
    return works(mq_send(queue, "two", 3, 0) == 0 && sigtimedwait(&set, NULL, &soon) == SIGRTMIN);
}

static bool counts(sem_t *sem)
{
    int value = -1;
    return sem_trywait(sem) == 0 && sem_trywait(sem) == 0 && sem_trywait(sem) != 0 &&
           errno == EAGAIN && sem_post(sem) == 0 && sem_getvalue(sem, &value) == 0 && value == 1;
}

static int semaphores(void)
{
    sem_t sem;
    return works(sem_init(&sem, 0, 2) == 0 && counts(&sem) && sem_destroy(&sem) == 0);
}

static int both_semaphores(void)
{
    char name[64];
    posix_unique_name(name);
    sem_t *sem = sem_open(name, O_CREAT | O_EXCL, 0600, 2);
    if (sem == SEM_FAILED)
        return failed(errno);
    sem_unlink(name);
    return works(counts(sem) && sem_close(sem) == 0 && semaphores() == RTG_OK);
}

static int timeouts(void)
{
    char name[64], got[8];
    sem_t sem;
    pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
    struct timespec due = in_ns(2 * MS);
    mqd_t queue = make_queue(name);
    if (queue == (mqd_t)-1 || sem_init(&sem, 0, 0) != 0 || pthread_mutex_lock(&held) != 0)
        return RTG_ENOSUP;
    mq_unlink(name);
    bool right = sem_timedwait(&sem, &due) != 0 && errno == ETIMEDOUT;
    right = right && mq_timedreceive(queue, got, 8, NULL, &due) < 0 && errno == ETIMEDOUT;
    return works(right && pthread_mutex_timedlock(&held, &due) == ETIMEDOUT);
}

const struct feature posix_realtime_features[RTG_FIRST_API] = {
    [RTG_POSIX_REALTIME_SIGNALS] = {realtime_signals, "sigqueue; lowest first, none lost", 0},
    [RTG_POSIX_EXTRA_SIGNALS] = {extra_signals, "sigqueue of eight signals, lowest first", 0},
    [RTG_POSIX_TIMERS] = {timers, "timer_create and timer_settime", 0},
    [RTG_POSIX_TIMERS_BY_SIGNAL] = {periodic_timers, "timer_settime with an interval", 0},
    [RTG_POSIX_CLOCK_NANOSLEEP] = {nanosleep_by_clock, "clock_nanosleep until a time", 0},
    [RTG_POSIX_EXECUTION_TIME] = {execution_time, "clock_getcpuclockid", 0},
    [RTG_POSIX_PROCESS_SCHEDULING] = {of_processes, "sched_setscheduler", 0},
    [RTG_POSIX_SCHED_FIFO] = {fifo, "SCHED_FIFO, read back", 0},
    [RTG_POSIX_SCHED_RR] = {round_robin, "SCHED_RR, read back", 0},
    [RTG_POSIX_SCHED_OTHER] = {other, "SCHED_OTHER, read back", 0},
    [RTG_POSIX_SPORADIC_SERVER] = {sporadic, "SCHED_SPORADIC", 0},
    [RTG_POSIX_LEVELS_32] = {many_levels, "each of 32 priorities of SCHED_FIFO, read back", 0},
    [RTG_POSIX_ASYNCHRONOUS_IO] = {asynchronous, "aio_write and aio_read", 0},
    [RTG_POSIX_PRIORITISED_IO] = {prioritised, "aio_reqprio; a wrong one is refused", 0},
    [RTG_POSIX_MEMORY_LOCKING] = {locking, "mlock", 0},
    [RTG_POSIX_SHARED_MEMORY] = {shared_memory, "shm_open, seen by another process", 0},
    [RTG_POSIX_MESSAGE_PASSING] = {messages, "mq_send; highest priority first", 0},
    [RTG_POSIX_MESSAGE_QUEUES_NAMED] = {named_queues, "mq_open by another process", 0},
    [RTG_POSIX_PERSISTENT_NOTIFICATION] = {persistent_notification,
                                           "mq_notify for more than one message", 0},
    [RTG_POSIX_SEMAPHORES] = {semaphores, "sem_init, sem_trywait, sem_post", 0},
    [RTG_POSIX_SEMAPHORES_BOTH_KINDS] = {both_semaphores, "sem_open and sem_init", 0},
    [RTG_POSIX_TIMEOUTS] = {timeouts, "sem_timedwait, mq_timedreceive, pthread_mutex_timedlock", 0},
};
