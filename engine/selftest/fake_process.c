/* The process: how it ends, its input and output, what it says of itself. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"
#include "fake_test.h"

static struct rtg_sem sem;
static struct rtg_mutex mutex;

/* ---- how it ends ---- */

static void silence(void)
{
    close(STDERR_FILENO);
}

static void deadlock(void)
{
    struct rtg_sem never;
    struct rtg_timer ignored;
    silence();
    rtg_timer_create(&ignored, now() + 1000, 1000000); /* nobody waits for it */
    rtg_sem_create(&never, RTG_COUNTING, RTG_UNNAMED, 0);
    rtg_sem_acquire(&never);
}

static void run_away(void)
{
    silence();
    rtg_watchdog(50000000);
    for (;;)
        rtg_cpu_relax();
}

static void oversleep(void)
{
    silence();
    rtg_watchdog(50000000);
    rtg_sleep_for(50000001);
}

static void in_time(void)
{
    rtg_watchdog(50000000);
    rtg_sleep_for(40000000);
    rtg_watchdog(50000000);
    rtg_sleep_for(40000000);
    rtg_watchdog(0);
    rtg_sleep_for(1000000000);
    rtg_port_exit(5);
}

static void beyond_the_limit(void)
{
    silence();
    fake_limit_at(now() + 50000000);
    rtg_watchdog(1000000000); /* feeding the watchdog does not move the limit */
    rtg_sleep_for(50000001);
}

static void how_it_ends(void)
{
    CHECK_EQUAL(exit_status_of(beyond_the_limit), RTG_EXIT_WATCHDOG);
    CHECK_EQUAL(exit_status_of(deadlock), 87);
    CHECK_EQUAL(exit_status_of(run_away), RTG_EXIT_WATCHDOG);
    CHECK_EQUAL(exit_status_of(oversleep), RTG_EXIT_WATCHDOG);
    CHECK_EQUAL(exit_status_of(in_time), 5);
}

static void be_asked_to_stop(void)
{
    bool before = rtg_stop_asked();
    raise(SIGTERM);
    _exit(!before && rtg_stop_asked() ? 7 : 8);
}

static void a_signal_asks_to_stop(void)
{
    CHECK(!rtg_stop_asked());
    CHECK_EQUAL(exit_status_of(be_asked_to_stop), 7);
}

/* ---- input and output ---- */

static void echo(void)
{
    char text[8] = "";
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0 || write(in[1], "hello", 5) != 5)
        _exit(9);
    close(in[1]);
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    bool good = rtg_port_read(text, sizeof text) == 5 && rtg_port_read(text, sizeof text) == 0;
    good = good && rtg_port_write("reply", 5) == RTG_OK && read(out[0], text, sizeof text) == 5;
    close(STDOUT_FILENO);
    good = good && rtg_port_write("reply", 5) == RTG_EFAIL;
    _exit(good && memcmp(text, "reply", 5) == 0 ? 7 : 8);
}

static void input_and_output(void)
{
    CHECK_EQUAL(exit_status_of(echo), 7);
}

static void memory_is_given_once(void)
{
    size_t bytes = 100000;
    unsigned char *memory = rtg_sample_memory(&bytes);
    CHECK(memory != NULL && bytes == 100000);
    CHECK(memory && memory[0] == 0 && memory[99999] == 0);
    CHECK(rtg_sample_memory(&bytes) == NULL && bytes == 0);
    bytes = 5000;
    void *scratch = rtg_scratch_get(&bytes);
    CHECK(scratch != NULL && bytes == 5000);
    rtg_scratch_put(scratch, bytes);
}

/* ---- the kernel ---- */

static void sem_pair(void *arg)
{
    rtg_sem_acquire(arg);
    rtg_sem_release(arg);
}

static void mutex_pair(void *arg)
{
    rtg_mutex_lock(arg);
    rtg_mutex_unlock(arg);
}

static void take(void *arg)
{
    rtg_sem_acquire(arg);
}

static void yield(void *arg)
{
    (void)arg;
    rtg_thread_yield();
}

static void read_kernel_clock(void *arg)
{
    (void)arg;
    rtg_time_of_day_syscall();
}

static void read_user_clock(void *arg)
{
    (void)arg;
    rtg_time_of_day_user();
}

static bool enters(void (*op)(void *), void *arg)
{
    bool entered = false;
    const char *how = NULL;
    CHECK_EQUAL(rtg_kernel_entered(op, arg, &entered, &how), RTG_OK);
    CHECK(how != NULL);
    return entered;
}

static void what_enters_the_kernel(void)
{
    struct rtg_mutex_spec spec = {.protocol = RTG_INHERIT};
    uint32_t value = 0;
    rtg_sem_create(&sem, RTG_COUNTING, RTG_UNNAMED, 1);
    rtg_mutex_create(&mutex, &spec);
    CHECK(!enters(sem_pair, &sem));
    CHECK(!enters(mutex_pair, &mutex));
    CHECK(!enters(read_user_clock, NULL));
    CHECK(enters(read_kernel_clock, NULL));
    CHECK(enters(yield, NULL));
    CHECK(!enters(take, &sem));
    rtg_sem_value(&sem, &value);
    CHECK_EQUAL(value, 1); /* the operation was run apart */
    rtg_sem_acquire(&sem);
    CHECK(enters(take, &sem));
    rtg_sem_destroy(&sem);
    rtg_mutex_destroy(&mutex);
}

/* ---- what it says of itself ---- */

static void find_os(void *to, const char *name, const char *text, int64_t number)
{
    (void)number;
    if (strcmp(name, "os") == 0)
        *(const char **)to = text;
}

static void find_ticks(void *to, const char *name, const char *text, int64_t number)
{
    if (strcmp(name, "ticks") == 0 && !text)
        *(int64_t *)to = number;
}

static void facts_and_counters(void)
{
    const char *os = NULL, *why = NULL;
    int64_t before = -1, after = -1;
    rtg_port_facts(find_os, &os);
    CHECK_TEXT(os, "fake");
    rtg_port_counters(find_ticks, &before);
    settle();
    rtg_sleep_for(10 * FAKE_TICK_NS);
    rtg_port_counters(find_ticks, &after);
    CHECK_EQUAL(after - before, 12);
    CHECK_EQUAL(rtg_realtime_allowed(&why), RTG_OK);
    CHECK(why != NULL);
}

static void what_it_has_not(void)
{
    uint64_t own = 5, instructions;
    void (*block)(void);
    const char *how = NULL;
    CHECK_EQUAL(rtg_cache_bytes(&own), 0);
    CHECK_EQUAL(own, 0);
    CHECK_EQUAL(rtg_code_make(100, &block, &instructions), RTG_ENOSUP);
    CHECK_EQUAL(rtg_tick_changeable(&how), 0);
    CHECK(how != NULL);
    CHECK_EQUAL(rtg_cpu_count(), 1);
    CHECK_EQUAL(rtg_level_count(), 63);
}

void fake_port_tests(void)
{
    how_it_ends();
    a_signal_asks_to_stop();
    input_and_output();
    memory_is_given_once();
    what_enters_the_kernel();
    facts_and_counters();
    what_it_has_not();
}
