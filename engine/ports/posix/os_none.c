/* Any POSIX system that is not Linux: threads cannot be pinned, and the system
 * is asked only what POSIX lets a program ask. */
#include "posix.h"

#include <sched.h>
#include <unistd.h>

void os_die_with_parent(void)
{
}

void os_keep_from_children(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

void *os_shared_map(size_t bytes)
{
    (void)bytes;
    return NULL;
}

int os_signal_thread(long id, int number, uint32_t value)
{
    (void)id;
    (void)number;
    (void)value;
    return RTG_ENOSUP;
}

int os_timer_create(int *file, uint64_t first_ns, uint64_t period_ns)
{
    (void)file;
    (void)first_ns;
    (void)period_ns;
    return RTG_ENOSUP;
}

int os_timer_wait(int file, uint64_t *expiries)
{
    (void)file;
    (void)expiries;
    return RTG_ENOSUP;
}

uint32_t os_cpu_count(void)
{
    return 1;
}

uint32_t os_cpu_at(uint32_t index)
{
    return index;
}

/* Whether there is nowhere else to run. POSIX had no name for it before 2024. */
static bool only_one_cpu(void)
{
#ifdef _SC_NPROCESSORS_CONF
    return sysconf(_SC_NPROCESSORS_CONF) == 1;
#else
    return false;
#endif
}

/* Does nothing: os_thread_query tells whether that is enough. */
int os_pin(int32_t cpu)
{
    return cpu <= 0 ? RTG_OK : RTG_EINVAL;
}

uint32_t rtg_cpu_now(void)
{
    return 0;
}

void rtg_cpu_relax(void)
{
}

long os_thread_id(void)
{
    return 1; /* never used to find a thread: os_thread_query knows the caller only */
}

int os_thread_query(long id, struct rtg_thread_state *state)
{
    struct sched_param param;
    int policy;
    if (id != 0)
        return RTG_ENOSUP;
    if (pthread_getschedparam(pthread_self(), &policy, &param) != 0)
        return RTG_EFAIL;
    state->policy = policy == SCHED_FIFO ? RTG_FIFO : policy == SCHED_RR ? RTG_RR : RTG_NORMAL;
    state->level = state->policy == RTG_NORMAL ? -1 : posix_level_of(param.sched_priority);
    state->cpu = only_one_cpu() ? 0 : -1;
    state->involuntary = 0;
    state->faults = 0;
    return RTG_OK;
}

int os_deadline(uint64_t runtime_ns, uint64_t period_ns)
{
    (void)runtime_ns;
    (void)period_ns;
    return RTG_ENOSUP;
}

void os_facts(rtg_fact_fn fact, void *to)
{
    (void)fact;
    (void)to;
}

void os_counters(int32_t cpu, rtg_fact_fn fact, void *to)
{
    (void)cpu;
    (void)fact;
    (void)to;
}

uint32_t os_virtual_ns(void)
{
    return 0;
}

uint64_t os_cache_bytes(int32_t cpu, uint64_t *private_)
{
    (void)cpu;
    if (private_ != NULL)
        *private_ = 0;
    return 0;
}

int os_clock(uint32_t index, struct rtg_os_clock *clock)
{
    (void)index;
    (void)clock;
    return RTG_ENOSUP;
}

uint64_t rtg_time_of_day_syscall(void)
{
    return posix_read_clock(CLOCK_REALTIME);
}

uint64_t (*const rtg_time_of_day_user)(void) = NULL;

int rtg_os_tick(uint64_t *value)
{
    (void)value;
    return RTG_ENOSUP;
}

int rtg_tick_changeable(const char **how)
{
    *how = "POSIX does not tell";
    return -1;
}

int rtg_kernel_entered(void (*op)(void *), void *arg, bool *entered, const char **how)
{
    (void)op;
    (void)arg;
    (void)entered;
    *how = "POSIX offers no way to find out";
    return RTG_ENOSUP;
}

int rtg_usage(struct rtg_usage *usage)
{
    (void)usage;
    return RTG_ENOSUP;
}

int rtg_footprint(struct rtg_footprint *footprint)
{
    (void)footprint;
    return RTG_ENOSUP;
}

int os_files_where(int folder, struct rtg_files *files)
{
    (void)folder;
    *files = (struct rtg_files){.system = "not known",
                                .device = "not known",
                                .options = "not known",
                                .medium = "not known",
                                .unproven = "POSIX does not tell what a folder lies on"};
    return RTG_OK;
}

int os_file_cached(int file, uint64_t at, uint32_t bytes, bool *cached, const char **how)
{
    (void)file;
    (void)at;
    (void)bytes;
    (void)cached;
    *how = "POSIX offers no way to find out";
    return RTG_ENOSUP;
}

int rtg_code_make(size_t bytes, void (**block)(void), uint64_t *instructions)
{
    (void)bytes;
    (void)block;
    (void)instructions;
    return RTG_ENOSUP;
}

void rtg_code_free(void (*block)(void))
{
    (void)block;
}

int os_trait(enum rtg_trait trait, struct rtg_trait_value *value)
{
    (void)trait;
    (void)value;
    return RTG_ENOSUP;
}
