/* The process: its start and end, its memory, its input and output. A port needs
 * rtg_port_read, rtg_port_write and rtg_sample_memory before anything else. */
#include "rtgauge/port.h"

int rtg_port_init(const struct rtg_limits *limits)
{
    (void)limits;
    return RTG_ENOSUP;
}

void rtg_port_facts(rtg_fact_fn fact, void *to)
{
    fact(to, "os", "template", 0);
    fact(to, "release", "0", 0);
    fact(to, "version", "0", 0);
    fact(to, "machine", "none", 0);
    fact(to, "cpus", NULL, 1);
    fact(to, "levels", NULL, 0);
}

void rtg_port_counters(rtg_fact_fn fact, void *to)
{
    (void)fact;
    (void)to;
}

int rtg_realtime_allowed(const char **why)
{
    *why = "the template has no threads";
    return RTG_ENOSUP;
}

void *rtg_sample_memory(size_t *bytes)
{
    *bytes = 0;
    return NULL;
}

void *rtg_scratch_get(size_t *bytes)
{
    *bytes = 0;
    return NULL;
}

void rtg_scratch_put(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

long rtg_port_read(void *to, size_t size)
{
    (void)to;
    (void)size;
    return -1;
}

int rtg_port_write(const void *from, size_t size)
{
    (void)from;
    (void)size;
    return RTG_EFAIL;
}

bool rtg_stop_asked(void)
{
    return false;
}

void rtg_watchdog(uint64_t ns)
{
    (void)ns;
}

/* "Never returns" is kept by a system that can end: here main returns instead. */
void rtg_port_exit(int status)
{
    (void)status;
}

int rtg_usage(struct rtg_usage *usage)
{
    (void)usage;
    return RTG_ENOSUP;
}

uint32_t rtg_virtual_ns(void)
{
    return 0;
}

uint64_t rtg_cache_bytes(uint64_t *private_)
{
    if (private_ != NULL)
        *private_ = 0;
    return 0;
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

int rtg_kernel_entered(void (*op)(void *), void *arg, bool *entered, const char **how)
{
    (void)op;
    (void)arg;
    (void)entered;
    *how = "the template offers no way to find out";
    return RTG_ENOSUP;
}
