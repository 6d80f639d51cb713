/* Unit tests of the fake port: each rule of its scheduler, and its figures. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_test.h"

static char log_text[256];
static char log_copy[256];
static unsigned log_used;

void start_as(struct rtg_thread *t, enum rtg_policy policy, uint32_t level, rtg_entry entry,
              void *arg)
{
    struct rtg_thread_spec spec = {
        .entry = entry, .arg = arg, .policy = policy, .level = level, .cpu = 0};
    CHECK_EQUAL(rtg_thread_create(t, &spec), RTG_OK);
}

void start(struct rtg_thread *t, uint32_t level, rtg_entry entry, void *arg)
{
    start_as(t, RTG_FIFO, level, entry, arg);
}

void settle(void)
{
    uint64_t last_tick = fake_now / FAKE_TICK_NS * FAKE_TICK_NS;
    rtg_sleep_until(last_tick + 2 * FAKE_TICK_NS + 100000);
}

void join(struct rtg_thread *t, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        CHECK_EQUAL(rtg_thread_join(&t[i]), RTG_OK);
}

void mark(char c)
{
    if (log_used + 1 < sizeof log_text)
        log_text[log_used++] = c;
}

const char *marks(void)
{
    for (unsigned i = 0; i < log_used; i++)
        log_copy[i] = log_text[i];
    log_copy[log_used] = 0;
    log_used = 0;
    return log_copy;
}

void mark_arg(void *arg)
{
    mark(*(const char *)arg);
}

uint64_t now(void)
{
    return fake_now;
}

int exit_status_of(void (*scene)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(10); /* a child does not inherit its parent's */
        scene();
        _exit(0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static void run_all(void *arg)
{
    (void)arg;
    fake_sched_tests();
    fake_level_tests();
    fake_thread_tests();
    fake_time_tests();
    fake_sem_tests();
    fake_mutex_tests();
    fake_inherit_tests();
    fake_port_tests();
    fake_fault_tests();
}

int main(void)
{
    struct rtg_limits limits = {.max_level = UINT32_MAX, .cpu = 0};
    struct rtg_thread tester;
    CHECK_EQUAL(rtg_port_init(&limits), RTG_OK);
    start(&tester, TOP, run_all, NULL);
    CHECK_EQUAL(rtg_thread_join(&tester), RTG_OK);
    return check_end();
}
