/* Linux: clocks and ticks beyond those of POSIX. */
#define _GNU_SOURCE
#include "posix.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

uint64_t rtg_time_of_day_syscall(void)
{
    struct timespec t = {0};
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t by_library(void)
{
    return posix_read_clock(CLOCK_REALTIME);
}

int os_timer_create(int *file, uint64_t first_ns, uint64_t period_ns)
{
    struct itimerspec times = {.it_value = posix_timespec(first_ns),
                               .it_interval = posix_timespec(period_ns)};
    *file = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    if (*file < 0)
        return posix_error(errno);
    if (timerfd_settime(*file, TFD_TIMER_ABSTIME, &times, NULL) == 0)
        return RTG_OK;
    int error = posix_error(errno);
    close(*file);
    return error;
}

int os_timer_wait(int file, uint64_t *expiries)
{
    ssize_t got;
    do
        got = read(file, expiries, sizeof *expiries);
    while (got < 0 && errno == EINTR);
    return got == sizeof *expiries ? RTG_OK : posix_error(errno);
}

int os_signal_thread(long id, int number, uint32_t value)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = number;
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_int = (int)value;
    long result = syscall(SYS_rt_tgsigqueueinfo, getpid(), id, number, &info);
    return result == 0 ? RTG_OK : posix_error(errno);
}

/* The library goes through the vDSO, which reads the counter in user space. */
uint64_t (*const rtg_time_of_day_user)(void) = by_library;

/* The coarse clock is brought up to date by the tick and by nothing else. */
int rtg_os_tick(uint64_t *value)
{
    *value = posix_read_clock(CLOCK_MONOTONIC_COARSE);
    return RTG_OK;
}

int rtg_tick_changeable(const char **how)
{
    *how = "declared: fixed when the kernel is built (CONFIG_HZ)";
    return 0;
}

static uint64_t read_raw(void)
{
    return posix_read_clock(CLOCK_MONOTONIC_RAW);
}

static uint64_t read_boottime(void)
{
    return posix_read_clock(CLOCK_BOOTTIME);
}

static uint64_t read_coarse(void)
{
    return posix_read_clock(CLOCK_MONOTONIC_COARSE);
}

static uint64_t read_realtime_coarse(void)
{
    return posix_read_clock(CLOCK_REALTIME_COARSE);
}

static uint64_t read_process(void)
{
    return posix_read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static uint64_t read_thread(void)
{
    return posix_read_clock(CLOCK_THREAD_CPUTIME_ID);
}

int os_clock(uint32_t index, struct rtg_os_clock *clock)
{
    static const struct {
        const char *name;
        clockid_t id;
        uint64_t (*read)(void);
    } clocks[] = {
        {"CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW, read_raw},
        {"CLOCK_BOOTTIME", CLOCK_BOOTTIME, read_boottime},
        {"CLOCK_MONOTONIC_COARSE", CLOCK_MONOTONIC_COARSE, read_coarse},
        {"CLOCK_REALTIME_COARSE", CLOCK_REALTIME_COARSE, read_realtime_coarse},
        {"CLOCK_PROCESS_CPUTIME_ID", CLOCK_PROCESS_CPUTIME_ID, read_process},
        {"CLOCK_THREAD_CPUTIME_ID", CLOCK_THREAD_CPUTIME_ID, read_thread},
    };
    struct timespec step;
    if (index >= sizeof clocks / sizeof *clocks)
        return RTG_ENOSUP;
    uint64_t ns = clock_getres(clocks[index].id, &step) == 0
                      ? (uint64_t)step.tv_sec * 1000000000u + (uint64_t)step.tv_nsec
                      : 0;
    *clock = (struct rtg_os_clock){clocks[index].name, ns, clocks[index].read};
    return RTG_OK;
}
