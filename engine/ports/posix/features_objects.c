/* The same for what threads synchronise and communicate by. */
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "features_try.h"

enum { MS = 1000000 };

static struct timespec in_ns(uint64_t ns)
{
    return posix_timespec(posix_read_clock(CLOCK_REALTIME) + ns);
}

/* ---- semaphores ------------------------------------------------------------ */

static int semaphore(void)
{
    return AS(realtime, SEMAPHORES);
}

static int largest_count(void)
{
    sem_t sem;
    long most = sysconf(_SC_SEM_VALUE_MAX);
    return works(most > 0 && sem_init(&sem, 0, (unsigned)most) == 0 &&
                 (most >= UINT_MAX || sem_init(&sem, 0, (unsigned)most + 1) != 0));
}

static int post_it(void *sem)
{
    return sem_post(sem);
}

static int semaphore_between(void)
{
    char name[64];
    posix_unique_name(name);
    sem_t *sem = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
    if (sem == SEM_FAILED)
        return failed(errno);
    sem_unlink(name);
    return works(posix_try_apart(post_it, sem) == 0 && sem_trywait(sem) == 0);
}

static void *post_later(void *sem)
{
    struct timespec nap = posix_timespec(2 * MS);
    nanosleep(&nap, NULL);
    sem_post(sem);
    return NULL;
}

static int semaphore_waits(void)
{
    sem_t sem;
    pthread_t t;
    uint64_t begin = posix_read_clock(CLOCK_MONOTONIC);
    return works(sem_init(&sem, 0, 0) == 0 && pthread_create(&t, NULL, post_later, &sem) == 0 &&
                 sem_wait(&sem) == 0 && posix_read_clock(CLOCK_MONOTONIC) >= begin + 2 * MS);
}

static int time_outs(void)
{
    return AS(realtime, TIMEOUTS);
}

/* ---- mutexes and conditions ------------------------------------------------ */

static int mutex(void)
{
    return AS(thread, MUTEXES);
}

static int no_inversion(void)
{
    return AS(thread, MUTEX_INHERITANCE);
}

static bool make_mutex(pthread_mutex_t *m, int type, int robust)
{
    pthread_mutexattr_t with;
    return pthread_mutexattr_init(&with) == 0 && pthread_mutexattr_settype(&with, type) == 0 &&
           pthread_mutexattr_setrobust(&with, robust) == 0 && pthread_mutex_init(m, &with) == 0;
}

static int recursive(void)
{
    pthread_mutex_t m;
    return works(make_mutex(&m, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED) &&
                 pthread_mutex_lock(&m) == 0 && pthread_mutex_trylock(&m) == 0 &&
                 pthread_mutex_unlock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
}

static void *lock_and_die(void *m)
{
    pthread_mutex_lock(m);
    return NULL;
}

static int robust(void)
{
    pthread_mutex_t m;
    pthread_t t;
    return works(make_mutex(&m, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST) &&
                 pthread_create(&t, NULL, lock_and_die, &m) == 0 && pthread_join(t, NULL) == 0 &&
                 pthread_mutex_lock(&m) == EOWNERDEAD && pthread_mutex_consistent(&m) == 0 &&
                 pthread_mutex_unlock(&m) == 0);
}

static int lock_there(void *m)
{
    return pthread_mutex_lock(m) == 0 ? 0 : 1;
}

static int mutex_between(void)
{
    pthread_mutexattr_t with;
    pthread_mutex_t *m;
    int file = posix_try_file();
    if (file < 0)
        return RTG_EFAIL;
    m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return works(m != MAP_FAILED && pthread_mutexattr_init(&with) == 0 &&
                 pthread_mutexattr_setpshared(&with, PTHREAD_PROCESS_SHARED) == 0 &&
                 pthread_mutex_init(m, &with) == 0 && posix_try_apart(lock_there, m) == 0 &&
                 pthread_mutex_trylock(m) == EBUSY);
}

static int condition(void)
{
    return AS(thread, CONDITION_VARIABLES);
}

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
static int waiting, rung;

static void *wait_for_bell(void *unused)
{
    pthread_mutex_lock(&door);
    waiting++;
    while (!rung)
        pthread_cond_wait(&bell, &door);
    pthread_mutex_unlock(&door);
    return unused;
}

static int broadcast(void)
{
    struct timespec nap = posix_timespec(MS);
    pthread_t t[2];
    bool right = true;
    for (int i = 0; i < 2; i++)
        right = pthread_create(&t[i], NULL, wait_for_bell, NULL) == 0 && right;
    for (int all = 0; right && all < 2;) {
        nanosleep(&nap, NULL);
        pthread_mutex_lock(&door);
        all = waiting;
        rung = all == 2;
        pthread_mutex_unlock(&door);
    }
    right = right && pthread_cond_broadcast(&bell) == 0;
    return works(right && pthread_join(t[0], NULL) == 0 && pthread_join(t[1], NULL) == 0);
}

/* ---- signals --------------------------------------------------------------- */

static int signal_handlers(void)
{
    return AS(file, SIGNALS);
}

static int remove_handler(void)
{
    struct sigaction action, is;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    return works(sigaction(SIGUSR1, &action, NULL) == 0 && sigaction(SIGUSR1, NULL, &is) == 0 &&
                 is.sa_handler == SIG_DFL);
}

static int signal_me(void *target)
{
    return kill(*(pid_t *)target, SIGUSR1);
}

/* Number and sender of a signal that another process sends to this one by its number. */
static int sender(void)
{
    struct timespec limit = {.tv_sec = 1};
    siginfo_t info = {0};
    sigset_t set;
    pid_t me = getpid();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return works(posix_try_apart(signal_me, &me) == 0 &&
                 sigtimedwait(&set, &info, &limit) == SIGUSR1 && info.si_signo == SIGUSR1 &&
                 info.si_pid > 0 && info.si_pid != me);
}

static int one_thread(void)
{
    return AS(thread, THREAD_SIGNALS);
}

static int queued(void)
{
    return AS(realtime, REALTIME_SIGNALS);
}

/* ---- message queues -------------------------------------------------------- */

static int queue(void)
{
    return AS(realtime, MESSAGE_PASSING);
}

static int queue_between(void)
{
    return AS(realtime, MESSAGE_QUEUES_NAMED);
}

static mqd_t make_queue(int flags)
{
    char name[64];
    struct mq_attr attributes = {.mq_maxmsg = 3, .mq_msgsize = 24};
    posix_unique_name(name);
    mqd_t made = mq_open(name, O_RDWR | O_CREAT | O_EXCL | flags, 0600, &attributes);
    mq_unlink(name);
    return made;
}

static int queue_limits(void)
{
    struct mq_attr is;
    char large[25] = {0};
    mqd_t q = make_queue(O_NONBLOCK);
    bool right = q != (mqd_t)-1 && mq_getattr(q, &is) == 0 && is.mq_maxmsg == 3 &&
                 is.mq_msgsize == 24 && mq_send(q, large, 25, 0) != 0 && errno == EMSGSIZE;
    for (int i = 0; i < 3; i++)
        right = right && mq_send(q, large, 24, 0) == 0;
    return works(right && mq_send(q, large, 24, 0) != 0 && errno == EAGAIN);
}

static int queue_count(void)
{
    struct mq_attr is;
    mqd_t q = make_queue(0);
    return works(q != (mqd_t)-1 && mq_send(q, "x", 1, 0) == 0 && mq_send(q, "y", 1, 0) == 0 &&
                 mq_getattr(q, &is) == 0 && is.mq_curmsgs == 2);
}

static int queue_try(void)
{
    char got[24];
    mqd_t q = make_queue(O_NONBLOCK);
    return works(q != (mqd_t)-1 && mq_receive(q, got, 24, NULL) < 0 && errno == EAGAIN);
}

static int queue_send_limit(void)
{
    struct timespec due = in_ns(2 * MS);
    mqd_t q = make_queue(0);
    bool right = q != (mqd_t)-1;
    for (int i = 0; i < 3; i++)
        right = right && mq_send(q, "x", 1, 0) == 0;
    return works(right && mq_timedsend(q, "x", 1, 0, &due) != 0 && errno == ETIMEDOUT);
}

static int queue_notifies(void)
{
    struct timespec limit = {.tv_sec = 1};
    struct sigevent event;
    sigset_t set;
    mqd_t q = make_queue(0);
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return works(q != (mqd_t)-1 && mq_notify(q, &event) == 0 && mq_send(q, "x", 1, 0) == 0 &&
                 sigtimedwait(&set, NULL, &limit) == SIGRTMIN);
}

/* ---- the answers ----------------------------------------------------------- */

const struct feature posix_object_features[RTG_FEATURES] = {
    [RTG_API_COUNTING_SEMAPHORE] = {semaphore, "sem_init", 0},
    [RTG_API_COUNTING_SEMAPHORE_GET_MAXIMUM_COUNT] = {largest_count, "a larger one is refused", 0},
    [RTG_API_COUNTING_SEMAPHORE_SET_INITIAL_VALUE] = {semaphore, "sem_init", 0},
    [RTG_API_COUNTING_SEMAPHORE_SHARE_BETWEEN_PROCESSES] = {semaphore_between, "sem_open", 0},
    [RTG_API_COUNTING_SEMAPHORE_WAIT_BLOCKING] = {semaphore_waits, "sem_wait", 0},
    [RTG_API_COUNTING_SEMAPHORE_WAIT_NON_BLOCKING] = {semaphore, "sem_trywait", 0},
    [RTG_API_COUNTING_SEMAPHORE_WAIT_TIMEOUT] = {time_outs, "sem_timedwait", 0},
    [RTG_API_COUNTING_SEMAPHORE_POST] = {semaphore, "sem_post", 0},
    [RTG_API_COUNTING_SEMAPHORE_GET_VALUE] = {semaphore, "sem_getvalue", 0},
    [RTG_API_MUTEX] = {mutex, "pthread_mutex_init", 0},
    [RTG_API_MUTEX_SHARE_BETWEEN_PROCESSES] = {mutex_between, "PTHREAD_PROCESS_SHARED", 0},
    [RTG_API_MUTEX_AVOID_PRIORITY_INVERSION] = {no_inversion,
                                                "PTHREAD_PRIO_INHERIT (see MUT-B-ARC)", 0},
    [RTG_API_MUTEX_RECURSIVE_ACQUIRE] = {recursive, "PTHREAD_MUTEX_RECURSIVE", 0},
    [RTG_API_MUTEX_SAFE_AGAINST_THREAD_DELETION] = {robust, "PTHREAD_MUTEX_ROBUST", 0},
    [RTG_API_MUTEX_WAIT_BLOCKING] = {mutex, "pthread_mutex_lock", 0},
    [RTG_API_MUTEX_WAIT_NON_BLOCKING] = {mutex, "pthread_mutex_trylock", 0},
    [RTG_API_MUTEX_WAIT_TIMEOUT] = {time_outs, "pthread_mutex_timedlock", 0},
    [RTG_API_MUTEX_RELEASE] = {mutex, "pthread_mutex_unlock", 0},
    [RTG_API_CONDITION_VARIABLE] = {condition, "pthread_cond_wait", 0},
    [RTG_API_CONDITION_VARIABLE_PEND_TIMEOUT] = {condition, "pthread_cond_timedwait", 0},
    [RTG_API_CONDITION_VARIABLE_PEND_IN_FIFO_OR_PRIORITY_ORDER] =
        {NULL, "the order of waiters is not tried", RTG_EFAIL},
    [RTG_API_CONDITION_VARIABLE_BROADCAST] = {broadcast, "pthread_cond_broadcast", 0},
    [RTG_API_POSIX_SIGNALS] = {signal_handlers, "sigaction", 0},
    [RTG_API_POSIX_SIGNALS_INSTALL_HANDLER] = {signal_handlers, "sigaction", 0},
    [RTG_API_POSIX_SIGNALS_REMOVE_HANDLER] = {remove_handler, "sigaction, SIG_DFL", 0},
    [RTG_API_POSIX_SIGNALS_MASK_OR_UNMASK] = {signal_handlers, "sigprocmask", 0},
    [RTG_API_POSIX_SIGNALS_IDENTIFY_SENDER] = {sender, "si_pid", 0},
    [RTG_API_POSIX_SIGNALS_SET_DESTINATION_ID] = {sender, "kill", 0},
    [RTG_API_POSIX_SIGNALS_SET_SIGNAL_ID] = {sender, "kill", 0},
    [RTG_API_POSIX_SIGNALS_GET_SIGNAL_ID] = {sender, "si_signo", 0},
    [RTG_API_POSIX_SIGNALS_SIGNAL_A_THREAD] = {one_thread, "pthread_kill", 0},
    [RTG_API_POSIX_SIGNALS_QUEUED_SIGNALS] = {queued, "sigqueue", 0},
    [RTG_API_MESSAGE_QUEUE] = {queue, "mq_open", 0},
    [RTG_API_MESSAGE_QUEUE_SET_MAXIMUM_MESSAGE_SIZE] = {queue_limits, "mq_open", 0},
    [RTG_API_MESSAGE_QUEUE_GET_MAXIMUM_MESSAGE_SIZE] = {queue_limits, "mq_getattr", 0},
    [RTG_API_MESSAGE_QUEUE_SET_QUEUE_SIZE] = {queue_limits, "mq_open", 0},
    [RTG_API_MESSAGE_QUEUE_GET_QUEUE_SIZE] = {queue_limits, "mq_getattr", 0},
    [RTG_API_MESSAGE_QUEUE_GET_QUEUED_MESSAGE_COUNT] = {queue_count, "mq_getattr", 0},
    [RTG_API_MESSAGE_QUEUE_SHARE_BETWEEN_PROCESSES] = {queue_between, "mq_open", 0},
    [RTG_API_MESSAGE_QUEUE_RECEIVE_BLOCKING] = {queue, "mq_receive (MSG-B-BLK tells more)", 0},
    [RTG_API_MESSAGE_QUEUE_RECEIVE_NON_BLOCKING] = {queue_try, "mq_receive, O_NONBLOCK", 0},
    [RTG_API_MESSAGE_QUEUE_RECEIVE_TIMEOUT] = {time_outs, "mq_timedreceive", 0},
    [RTG_API_MESSAGE_QUEUE_SEND_WITH_PRIORITY] = {queue, "mq_send; highest priority first", 0},
    [RTG_API_MESSAGE_QUEUE_SEND_OUT_OF_BAND] = {queue, "mq_send of a higher priority", 0},
    [RTG_API_MESSAGE_QUEUE_SEND_TIMEOUT] = {queue_send_limit, "mq_timedsend", 0},
    [RTG_API_MESSAGE_QUEUE_NOTIFY] = {queue_notifies, "mq_notify", 0},
};
