/* The process: its beginning and end, its input and output, its facts. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "fake.h"

enum { EXIT_USAGE = 2 };

static uint32_t level_count = FAKE_LEVELS;
static volatile sig_atomic_t stop_signal;

/* ---- beginning and end ------------------------------------------------- */

static void say(const char *line)
{
    struct {
        const char *text;
        size_t size;
    } part[] = {{line, strlen(line)}, {"\n", 1}};
    for (size_t i = 0; i < 2; i++)
        if (write(STDERR_FILENO, part[i].text, part[i].size) < 0)
            return;
}

/* Nothing of the process is in order any more: no handler of exit is run. */
void fake_end_process(int status, const char *line)
{
    fake_apart_entered();
    say(line);
    _exit(status);
}

static void on_stop(int signal_number)
{
    stop_signal = signal_number;
}

static void on_real_alarm(int signal_number)
{
    (void)signal_number;
    say("fake port: the limit of real time is reached; does a loop spin without a call?");
    _exit(RTG_EXIT_WATCHDOG);
}

static int handle(int signal_number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    return sigaction(signal_number, &action, NULL) == 0 ? RTG_OK : RTG_EFAIL;
}

/* A test that begins or ends, or sends something, is not one that hangs. */
static void show_progress(void)
{
    alarm(FAKE_REAL_SECONDS);
}

static int prepare_process(void)
{
#ifdef __linux__
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return RTG_EFAIL;
#endif
    if (handle(SIGTERM, on_stop) != RTG_OK || handle(SIGALRM, on_real_alarm) != RTG_OK)
        return RTG_EFAIL;
    show_progress();
    return RTG_OK;
}

static void die(struct fake_expiry *expiry)
{
    (void)expiry;
    raise(SIGKILL);
}

int rtg_port_init(const struct rtg_limits *limits)
{
    if (!limits || limits->cpu < -1 || limits->cpu > 0)
        return RTG_EINVAL;
    if (limits->max_level < FAKE_LEVELS)
        level_count = limits->max_level + 1;
    if (!fake_faults_init())
        fake_end_process(EXIT_USAGE,
                         "fake port: RTGAUGE_FAULT names no fault; RTGAUGE_FAULT=list tells "
                         "the names as facts");
    if (prepare_process() != RTG_OK)
        return RTG_EFAIL;
    if (!fake_threads_init())
        return RTG_EFULL;
    if (limits->time_ns > 0)
        fake_limit_at(fake_now + limits->time_ns);
    if (fake_has(FAULT_DIES)) {
        static struct fake_expiry end = {.action = die};
        fake_expiry_set(&end, fake_now + fake_k * 1000000);
    }
    return RTG_OK;
}

void rtg_port_exit(int status)
{
    exit(status);
}

bool rtg_stop_asked(void)
{
    fake_compute(fake_costs.poll);
    return stop_signal != 0;
}

void rtg_watchdog(uint64_t ns)
{
    show_progress();
    fake_watchdog_at(ns > 0 ? fake_now + ns : FAKE_NEVER);
}

/* ---- input and output -------------------------------------------------- */

/* The core reads and writes before rtg_port_init, while there is no thread yet:
 * that is free. */
static void pay_for_io(void)
{
    if (fake_current) {
        show_progress();
        fake_enter_kernel();
        fake_compute(fake_costs.io);
    }
}

long rtg_port_read(void *to, size_t size)
{
    pay_for_io();
    for (;;) {
        ssize_t n = read(STDIN_FILENO, to, size);
        if (n >= 0 || errno != EINTR || stop_signal != 0)
            return n;
    }
}

static int put(const unsigned char *at, size_t size)
{
    while (size > 0) {
        ssize_t n = write(STDOUT_FILENO, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return RTG_EFAIL;
        at += n;
        size -= (size_t)n;
    }
    return RTG_OK;
}

/* One frame of the trace. */
int rtg_port_write(const void *from, size_t size)
{
    const unsigned char *frame = from;
    pay_for_io();
    if (fake_every_kth(FAULT_TRACE_LOSES))
        return RTG_OK;
    if (!fake_every_kth(FAULT_TRACE_FLIPS))
        return put(frame, size);
    size_t middle = size / 2;
    unsigned char flipped = frame[middle] ^ 0x10;
    int error = put(frame, middle);
    error = error == RTG_OK ? put(&flipped, 1) : error;
    return error == RTG_OK ? put(frame + middle + 1, size - middle - 1) : error;
}

/* ---- facts ------------------------------------------------------------- */

uint32_t rtg_level_count(void)
{
    return level_count;
}

int rtg_realtime_allowed(const char **why)
{
    *why = "the fake port gives every level to everybody";
    return RTG_OK;
}

void rtg_port_facts(rtg_fact_fn fact, void *to)
{
    fact(to, "os", "fake", 0);
    fact(to, "release", "1", 0);
    fact(to, "version", "deterministic, in virtual time", 0);
    fact(to, "machine", "virtual", 0);
    fact(to, "cpus", NULL, 1);
    fact(to, "levels", NULL, FAKE_LEVELS);
    fact(to, "tick_ns", NULL, FAKE_TICK_NS);
    fact(to, "slice_ns", NULL, (int64_t)FAKE_SLICE_TICKS * FAKE_TICK_NS);
    fake_faults_facts(fact, to);
}

void rtg_port_counters(rtg_fact_fn fact, void *to)
{
    fact(to, "ticks", NULL, (int64_t)fake_counts.ticks);
    fact(to, "timer_interrupts", NULL, (int64_t)(fake_counts.ticks + fake_counts.expiries));
    fact(to, "switches", NULL, (int64_t)fake_counts.switches);
    fact(to, "minor_faults", NULL, 0);
}
