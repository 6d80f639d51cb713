/* Threads and priorities by POSIX calls. */
#include "posix.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_STACK = 64 * 1024 };

static _Thread_local struct rtg_thread *self;
static _Thread_local int32_t own_cpu = -1; /* the one that the caller is pinned to, or -1 */

/* ---- levels ------------------------------------------------------------- */

static int try_priority(int policy, int priority)
{
    struct sched_param param = {.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), policy, &param);
}

static int find_highest(void)
{
    int low = sched_get_priority_min(SCHED_FIFO), high = sched_get_priority_max(SCHED_FIFO);
    if (try_priority(SCHED_FIFO, low) != 0)
        return 0;
    while (low < high) { /* a limit (RLIMIT_RTPRIO) may lie anywhere between */
        int middle = low + (high - low + 1) / 2;
        if (try_priority(SCHED_FIFO, middle) == 0)
            low = middle;
        else
            high = middle - 1;
    }
    try_priority(SCHED_OTHER, 0);
    return low;
}

int posix_highest_priority(void)
{
    static int highest = -1;
    if (highest < 0)
        highest = find_highest();
    return highest;
}

int rtg_realtime_allowed(const char **why)
{
    if (posix_highest_priority() > sched_get_priority_min(SCHED_FIFO))
        return RTG_OK;
    *why = "this process may not use real-time scheduling (SCHED_FIFO was refused): "
           "`rtgauge doctor` tells what to do";
    return RTG_EPERM;
}

/* The highest priority is the watchdog's. */
uint32_t rtg_level_count(void)
{
    int levels = posix_highest_priority() - sched_get_priority_min(SCHED_FIFO);
    uint32_t allowed =
        posix_limits.max_level == UINT32_MAX ? UINT32_MAX : posix_limits.max_level + 1;
    if (levels < 1)
        return 1;
    return (uint32_t)levels < allowed ? (uint32_t)levels : allowed;
}

int posix_priority_of(uint32_t level)
{
    return sched_get_priority_min(SCHED_FIFO) + (int)level;
}

int posix_level_of(int priority)
{
    return priority - sched_get_priority_min(SCHED_FIFO);
}

/* ---- CPUs --------------------------------------------------------------- */

uint32_t rtg_cpu_count(void)
{
    return os_cpu_count();
}

uint32_t rtg_cpu_at(uint32_t index)
{
    return os_cpu_at(index);
}

int posix_pin(int32_t cpu)
{
    int error = os_pin(cpu);
    if (error == RTG_OK)
        own_cpu = cpu;
    return error;
}

/* ---- life --------------------------------------------------------------- */

/* Threads inherit the CPU of their creator, so that nothing stands between creation
 * and entry. */
static void *begin(void *arg)
{
    struct rtg_thread *t = arg;
    self = t;
    own_cpu = t->cpu;
    t->tid = os_thread_id();
    if (t->policy == RTG_DEADLINE) {
        int error = os_deadline(t->runtime_ns, t->period_ns);
        t->begun = error == RTG_OK ? 1 : -error;
        if (error != RTG_OK)
            return NULL;
    }
    t->entry(t->arg);
    return NULL;
}

static int native_policy(enum rtg_policy policy)
{
    return policy == RTG_FIFO ? SCHED_FIFO : policy == RTG_RR ? SCHED_RR : SCHED_OTHER;
}

static size_t stack_size(uint32_t asked)
{
    long least = sysconf(_SC_THREAD_STACK_MIN);
    size_t size = asked == 0 ? DEFAULT_STACK : asked;
    return least > 0 && size < (size_t)least + 16384 ? (size_t)least + 16384 : size;
}

static int set_attributes(pthread_attr_t *attributes, const struct rtg_thread_spec *spec)
{
    bool leveled = spec->policy == RTG_FIFO || spec->policy == RTG_RR;
    struct sched_param param = {.sched_priority = leveled ? posix_priority_of(spec->level) : 0};
    int error = pthread_attr_setstacksize(attributes, stack_size(spec->stack));
    if (error == 0)
        error = pthread_attr_setinheritsched(attributes, PTHREAD_EXPLICIT_SCHED);
    if (error == 0)
        error = pthread_attr_setschedpolicy(attributes, native_policy(spec->policy));
    if (error == 0)
        error = pthread_attr_setschedparam(attributes, &param);
    return error;
}

/* A thread for another CPU inherits it from its creator, who goes there for that
 * moment: it could not move by itself while its creator keeps this one. */
static int create_there(struct rtg_thread *t, const pthread_attr_t *attributes)
{
    int32_t home = own_cpu;
    bool elsewhere = t->cpu != home;
    if (elsewhere && os_pin(t->cpu) != RTG_OK)
        return EINVAL;
    int error = pthread_create(&t->handle, attributes, begin, t);
    if (elsewhere)
        os_pin(home);
    return error;
}

int rtg_thread_create(struct rtg_thread *t, const struct rtg_thread_spec *spec)
{
    pthread_attr_t attributes;
    if ((spec->policy == RTG_FIFO || spec->policy == RTG_RR) && spec->level >= rtg_level_count())
        return RTG_EINVAL;
    t->policy = (int)spec->policy;
    t->cpu = spec->cpu;
    t->entry = spec->entry;
    t->arg = spec->arg;
    t->runtime_ns = spec->runtime_ns;
    t->period_ns = spec->period_ns;
    t->tid = 0;
    t->begun = 0;
    pthread_attr_init(&attributes);
    int error = set_attributes(&attributes, spec);
    if (error == 0)
        error = create_there(t, &attributes);
    pthread_attr_destroy(&attributes);
    if (error == 0 && spec->policy == RTG_DEADLINE) {
        while (t->begun == 0)
            rtg_sleep_for(100000);
        if (t->begun < 0) {
            pthread_join(t->handle, NULL);
            return -t->begun;
        }
    }
    return posix_error(error);
}

int posix_become(struct rtg_thread *t, const struct rtg_thread_spec *spec)
{
    bool leveled = spec->policy == RTG_FIFO || spec->policy == RTG_RR;
    struct sched_param param = {.sched_priority = leveled ? posix_priority_of(spec->level) : 0};
    *t = (struct rtg_thread){
        .handle = pthread_self(), .policy = (int)spec->policy, .cpu = spec->cpu};
    self = t;
    t->tid = os_thread_id();
    int error = posix_pin(spec->cpu);
    if (error != RTG_OK)
        return error;
    if (spec->policy == RTG_DEADLINE)
        return os_deadline(spec->runtime_ns, spec->period_ns);
    return posix_error(pthread_setschedparam(t->handle, native_policy(spec->policy), &param));
}

int rtg_thread_join(struct rtg_thread *t)
{
    return posix_error(pthread_join(t->handle, NULL));
}

int rtg_thread_delete(struct rtg_thread *t)
{
    int error = pthread_cancel(t->handle);
    return error != 0 ? posix_error(error) : rtg_thread_join(t);
}

/* A cancelled POSIX thread acts upon it at its first cancellation point, which
 * lies behind the first instruction of its entry. */
int rtg_thread_delete_unstarted(struct rtg_thread *t)
{
    (void)t;
    return RTG_ENOSUP;
}

/* POSIX makes threads ready as it makes them, and never takes one off the CPU. */
int rtg_thread_prepare(struct rtg_thread *t, const struct rtg_thread_spec *spec)
{
    (void)t;
    (void)spec;
    return RTG_ENOSUP;
}

int rtg_thread_start(struct rtg_thread *t)
{
    (void)t;
    return RTG_ENOSUP;
}

int rtg_thread_suspend(struct rtg_thread *t)
{
    (void)t;
    return RTG_ENOSUP;
}

int rtg_thread_resume(struct rtg_thread *t)
{
    (void)t;
    return RTG_ENOSUP;
}

void rtg_thread_park(void)
{
    for (;;)
        pause();
}

void rtg_thread_yield(void)
{
    sched_yield();
}

/* ---- level of a living thread ------------------------------------------- */

static const char *const level_calls[] = {"pthread_setschedparam", "pthread_setschedprio"};

uint32_t rtg_set_level_calls(void)
{
    return sizeof level_calls / sizeof *level_calls;
}

const char *rtg_set_level_call_name(uint32_t call)
{
    return level_calls[call];
}

int rtg_thread_set_level(struct rtg_thread *t, uint32_t level, uint32_t call)
{
    const struct rtg_thread *whom = t != NULL ? t : self;
    struct sched_param param = {.sched_priority = posix_priority_of(level)};
    if (level >= rtg_level_count() || call >= rtg_set_level_calls() || whom == NULL)
        return RTG_EINVAL;
    /* A thread that runs before its creator goes on may have no handle stored yet. */
    pthread_t handle = t != NULL ? t->handle : pthread_self();
    if (call == 1)
        return posix_error(pthread_setschedprio(handle, param.sched_priority));
    return posix_error(
        pthread_setschedparam(handle, native_policy((enum rtg_policy)whom->policy), &param));
}

int rtg_thread_query(struct rtg_thread *t, struct rtg_thread_state *state)
{
    if (t == NULL)
        return os_thread_query(0, state);
    return t->tid == 0 ? RTG_EBUSY : os_thread_query(t->tid, state);
}
