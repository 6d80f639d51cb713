/* The simulator's board: this process. It has no timers beside the tick. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "posix_clock.h"
#include "rtgauge/board.h"

enum { SAMPLES = 32 << 20, IDLE_NS = 200000 };

static volatile sig_atomic_t stopped;
static _Alignas(16) unsigned char samples[SAMPLES];

static void stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

void rtg_board_init(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    action.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &action, NULL);
}

int main(void)
{
    rtg_board_init();
    rtg_board_main();
    return RTG_EXIT_FAULT;
}

/* Threads of the simulator are where they are: nothing of the process is put in order. */
void rtg_board_exit(int status)
{
    _exit(status);
}

void rtg_board_fail(const char *what, const char *detail)
{
    char line[160] = "rtgauge: ";
    strncat(line, what, sizeof line - strlen(line) - 1);
    if (detail != NULL) {
        strncat(line, ": ", sizeof line - strlen(line) - 1);
        strncat(line, detail, sizeof line - strlen(line) - 1);
    }
    rtg_board_say(line);
    rtg_board_exit(RTG_EXIT_FAULT);
}

void vApplicationIdleHook(void);
void vApplicationIdleHook(void)
{
    struct timespec nap = {.tv_nsec = IDLE_NS};
    nanosleep(&nap, NULL);
}

/* ---- what it is ------------------------------------------------------------ */

const char *rtg_board_name(void)
{
    return RTG_BOARD_NAME;
}

void rtg_board_facts(rtg_fact_fn fact, void *to)
{
    static struct utsname name;
    uname(&name);
    fact(to, "machine", name.machine, 0);
    fact(to, "cpu_model", "simulated by threads of this machine", 0);
    fact(to, "simulator", "times say nothing of FreeRTOS on a processor of its own", 0);
}

uint32_t rtg_board_ns_per_instruction(void)
{
    return 0;
}

void *rtg_board_memory(size_t *bytes)
{
    *bytes = SAMPLES;
    return samples;
}

/* Not known: the C library and the simulator are part of the program. */
void rtg_board_get_sizes(struct rtg_board_sizes *sizes)
{
    *sizes = (struct rtg_board_sizes){.samples = SAMPLES};
}

/* ---- time ------------------------------------------------------------------- */

uint64_t rtg_board_now(void)
{
    return rtg_stamp_start();
}

uint64_t rtg_board_now_limit(void)
{
    return UINT64_MAX;
}

uint64_t rtg_board_now_step(void)
{
    return 1;
}

rtg_stamp_t rtg_board_stamp_at(uint64_t ns)
{
    return ns;
}

uint32_t rtg_board_timers(void)
{
    return 0;
}

const struct rtg_board_timer *rtg_board_timer_at(uint32_t index)
{
    (void)index;
    return NULL;
}

int rtg_board_timer_set(uint32_t index, uint64_t due_ns)
{
    (void)index;
    (void)due_ns;
    return RTG_EINVAL;
}

void rtg_board_timer_cancel(uint32_t index)
{
    (void)index;
}

const char *rtg_board_timer_marks(void)
{
    return "none";
}

/* ---- the channel to the host -------------------------------------------------- */

/* The tick interrupts calls. */
long rtg_board_read(void *to, size_t size)
{
    ssize_t got;
    do
        got = read(STDIN_FILENO, to, size);
    while (got < 0 && errno == EINTR);
    return got;
}

static int put(int file, const char *at, size_t size)
{
    while (size != 0) {
        ssize_t put = write(file, at, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return RTG_EFAIL;
        at += put;
        size -= (size_t)put;
    }
    return RTG_OK;
}

int rtg_board_write(const void *from, size_t size)
{
    return put(STDOUT_FILENO, from, size);
}

bool rtg_board_stop_asked(void)
{
    return stopped != 0;
}

void rtg_board_say(const char *line)
{
    put(STDERR_FILENO, line, strlen(line));
    put(STDERR_FILENO, "\n", 1);
}

void rtg_board_serial_put(uint8_t byte)
{
    (void)byte;
}

int rtg_board_serial_get(void)
{
    return -1;
}
