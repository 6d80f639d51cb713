/* The process: its start, its end, its memory, its input and output. */
#include "posix.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

struct rtg_limits posix_limits;

static atomic_bool stop_asked; /* set by one thread's signal handler, read by the others */
static const char *memory_locked = "no: not tried";

int posix_error(int error)
{
    switch (error) {
    case 0:
        return RTG_OK;
    case EPERM:
    case EACCES:
        return RTG_EPERM;
    case ENOSYS:
    case ENOTSUP:
        return RTG_ENOSUP;
    case ETIMEDOUT:
    case ETIME:
        return RTG_ETIMEOUT;
    case EBUSY:
    case EDEADLK:
        return RTG_EBUSY;
    case EAGAIN:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EOVERFLOW:
        return RTG_EFULL;
    case EINVAL:
        return RTG_EINVAL;
    default:
        return RTG_EFAIL;
    }
}

static void on_stop(int number)
{
    (void)number;
    atomic_store(&stop_asked, true);
}

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, NULL);
}

/* A locked process must still get memory: with a limit below what threads and
 * samples need, MCL_FUTURE would make later allocations fail, so it is tried. */
static const char *lock_memory(void)
{
    enum { TRIAL = 32 << 20 };
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        return "no: the memlock limit of this user is too small";
    void *trial = malloc(TRIAL);
    if (trial == NULL) {
        munlockall();
        return "no: the memlock limit of this user is too small";
    }
    free(trial);
    return "yes";
}

int rtg_port_init(const struct rtg_limits *limits)
{
    posix_limits = *limits;
    os_die_with_parent();
    set_handler(SIGTERM, on_stop);
    set_handler(SIGPIPE, SIG_IGN);
    posix_signals_block();
    memory_locked = lock_memory();
    int error = posix_watchdog_start();
    return error != RTG_OK ? error : posix_pin(limits->cpu);
}

void rtg_port_facts(rtg_fact_fn fact, void *to)
{
    static struct utsname name;
    uname(&name);
    fact(to, "os", name.sysname, 0);
    fact(to, "release", name.release, 0);
    fact(to, "version", name.version, 0);
    fact(to, "machine", name.machine, 0);
    fact(to, "cpus", NULL, rtg_cpu_count());
    fact(to, "cpu_under_test", NULL, posix_limits.cpu);
    fact(to, "levels", NULL, posix_highest_priority() > 0 ? rtg_level_count() : 0);
    fact(to, "highest_fifo_priority", NULL, posix_highest_priority());
    fact(to, "page_bytes", NULL, sysconf(_SC_PAGESIZE));
    fact(to, "memory_locked", memory_locked, 0);
    os_facts(fact, to);
}

void rtg_port_counters(rtg_fact_fn fact, void *to)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        fact(to, "minor_faults", NULL, usage.ru_minflt);
        fact(to, "major_faults", NULL, usage.ru_majflt);
        fact(to, "process_involuntary_switches", NULL, usage.ru_nivcsw);
        fact(to, "process_voluntary_switches", NULL, usage.ru_nvcsw);
    }
    os_counters(posix_limits.cpu, fact, to);
}

void *rtg_scratch_get(size_t *bytes)
{
    void *memory = NULL;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    while (*bytes != 0 && posix_memalign(&memory, page, *bytes) != 0)
        *bytes /= 2;
    if (memory == NULL) {
        *bytes = 0;
        return NULL;
    }
    memset(memory, 0x5a, *bytes);
    mlock(memory, *bytes);
    return memory;
}

void rtg_scratch_put(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

void *rtg_sample_memory(size_t *bytes)
{
    static void *volatile memory; /* held until the end: leak checkers look for an owner */
    memory = rtg_scratch_get(bytes);
    os_keep_from_children(memory, *bytes);
    return memory;
}

long rtg_port_read(void *to, size_t size)
{
    ssize_t got;
    do
        got = read(STDIN_FILENO, to, size);
    while (got < 0 && errno == EINTR);
    return (long)got;
}

int rtg_port_write(const void *from, size_t size)
{
    const char *at = from;
    while (size != 0) {
        ssize_t wrote = write(STDOUT_FILENO, at, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return RTG_EFAIL;
        at += wrote;
        size -= (size_t)wrote;
    }
    return RTG_OK;
}

bool rtg_stop_asked(void)
{
    return atomic_load_explicit(&stop_asked, memory_order_relaxed);
}

/* Without the clean-up of exit(): threads of a test that broke off may still run. */
void rtg_port_exit(int status)
{
    _exit(status);
}

uint64_t rtg_cache_bytes(uint64_t *private_)
{
    if (os_virtual_ns() == 0)
        return os_cache_bytes(posix_limits.cpu, private_);
    if (private_ != NULL)
        *private_ = 0;
    return 0;
}

uint32_t rtg_virtual_ns(void)
{
    return os_virtual_ns();
}
