/* Linux: what POSIX does not offer. The only file that may use Linux's own calls
 * beside the other linux_*.c. */
#define _GNU_SOURCE
#include "posix.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

void os_die_with_parent(void)
{
    pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended in between: no signal will come any more */
        raise(SIGKILL);
}

void os_keep_from_children(void *memory, size_t bytes)
{
    if (memory != NULL)
        madvise(memory, bytes, MADV_DONTFORK);
}

void *os_shared_map(size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* ---- CPUs --------------------------------------------------------------- */

enum { MOST_CPUS = 4096 };
static unsigned long first_mask[MOST_CPUS / (8 * sizeof(unsigned long))];
static uint32_t first_count;

static bool has_cpu(const unsigned long *mask, uint32_t cpu)
{
    return mask[cpu / (8 * sizeof *mask)] >> cpu % (8 * sizeof *mask) & 1;
}

/* The raw call, since cpu_set_t ends at 1024 CPUs. Remembered, since the engine
 * pins itself later. */
static const unsigned long *process_mask(void)
{
    if (first_count == 0) {
        syscall(SYS_sched_getaffinity, 0, sizeof first_mask, first_mask);
        for (uint32_t cpu = 0; cpu < MOST_CPUS; cpu++)
            first_count += has_cpu(first_mask, cpu);
    }
    return first_mask;
}

uint32_t os_cpu_count(void)
{
    process_mask();
    return first_count == 0 ? 1 : first_count;
}

uint32_t os_cpu_at(uint32_t index)
{
    const unsigned long *mask = process_mask();
    for (uint32_t cpu = 0; cpu < MOST_CPUS; cpu++) {
        if (has_cpu(mask, cpu) && index-- == 0)
            return cpu;
    }
    return 0;
}

int os_pin(int32_t cpu)
{
    unsigned long one[MOST_CPUS / (8 * sizeof(unsigned long))] = {0};
    const unsigned long *mask = process_mask();
    if (cpu >= 0) {
        if (cpu >= MOST_CPUS || !has_cpu(mask, (uint32_t)cpu))
            return RTG_EINVAL;
        one[(uint32_t)cpu / (8 * sizeof *one)] = 1ul << (uint32_t)cpu % (8 * sizeof *one);
        mask = one;
    }
    return syscall(SYS_sched_setaffinity, 0, sizeof one, mask) == 0 ? RTG_OK : posix_error(errno);
}

uint32_t rtg_cpu_now(void)
{
    int cpu = sched_getcpu();
    return cpu < 0 ? 0 : (uint32_t)cpu;
}

void rtg_cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("pause" : : : "memory");
#elif defined(__aarch64__)
    __asm__ volatile("yield" : : : "memory");
#else
    __asm__ volatile("" : : : "memory");
#endif
}

/* ---- threads ------------------------------------------------------------ */

/* struct sched_attr in its first form (Linux 3.14); libraries do not have it. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

long os_thread_id(void)
{
    return syscall(SYS_gettid);
}

static int32_t only_cpu(long id)
{
    unsigned long mask[MOST_CPUS / (8 * sizeof(unsigned long))] = {0};
    int32_t only = -1;
    if (syscall(SYS_sched_getaffinity, id, sizeof mask, mask) < 0)
        return -1;
    for (uint32_t cpu = 0; cpu < MOST_CPUS; cpu++) {
        if (has_cpu(mask, cpu) && only >= 0)
            return -1;
        if (has_cpu(mask, cpu))
            only = (int32_t)cpu;
    }
    return only;
}

int os_thread_query(long id, struct rtg_thread_state *state)
{
    struct attributes now = {0};
    struct rusage usage = {0};
    if (syscall(SYS_sched_getattr, id, &now, sizeof now, 0) != 0)
        return posix_error(errno);
    state->policy = now.policy == SCHED_FIFO       ? RTG_FIFO
                    : now.policy == SCHED_RR       ? RTG_RR
                    : now.policy == SCHED_DEADLINE ? RTG_DEADLINE
                                                   : RTG_NORMAL;
    bool leveled = state->policy == RTG_FIFO || state->policy == RTG_RR;
    state->level = leveled ? posix_level_of((int)now.priority) : -1;
    state->cpu = only_cpu(id);
    if (id == 0)
        getrusage(RUSAGE_THREAD, &usage);
    state->involuntary = (uint64_t)usage.ru_nivcsw;
    state->faults = (uint64_t)(usage.ru_minflt + usage.ru_majflt);
    return RTG_OK;
}

int os_deadline(uint64_t runtime_ns, uint64_t period_ns)
{
    struct attributes want = {.size = sizeof want,
                              .policy = SCHED_DEADLINE,
                              .runtime = runtime_ns,
                              .deadline = period_ns,
                              .period = period_ns};
    return syscall(SYS_sched_setattr, 0, &want, 0) == 0 ? RTG_OK : posix_error(errno);
}

/* ---- looking from outside ----------------------------------------------- */

enum { UNDECIDED = 3 };

/* From here on any system call but exit kills the process, without a core file. */
static bool forbid_the_kernel(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
    };
    struct sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int rtg_kernel_entered(void (*op)(void *), void *arg, bool *entered, const char **how)
{
    int status = 0;
    *how = "a seccomp filter in a child process that ends it at any system call";
    pid_t child = fork();
    if (child == 0) {
        if (!forbid_the_kernel())
            _exit(UNDECIDED);
        op(arg);
        syscall(SYS_exit, 0);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    *entered = child > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
    if (*entered || (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return RTG_OK;
    *how = child > 0 && WIFSIGNALED(status) ? "the child process was ended by something else"
                                            : "seccomp filters are not available here";
    return RTG_ENOSUP;
}
