/* Threads, levels and processors. */
#include "rtgauge/port.h"

uint32_t rtg_cpu_count(void)
{
    return 1;
}

uint32_t rtg_cpu_at(uint32_t index)
{
    return index;
}

uint32_t rtg_cpu_now(void)
{
    return 0;
}

void rtg_cpu_relax(void)
{
}

uint32_t rtg_level_count(void)
{
    return 1;
}

int rtg_thread_create(struct rtg_thread *t, const struct rtg_thread_spec *spec)
{
    (void)t;
    (void)spec;
    return RTG_ENOSUP;
}

int rtg_thread_join(struct rtg_thread *t)
{
    (void)t;
    return RTG_ENOSUP;
}

int rtg_thread_delete(struct rtg_thread *t)
{
    (void)t;
    return RTG_ENOSUP;
}

int rtg_thread_delete_unstarted(struct rtg_thread *t)
{
    (void)t;
    return RTG_ENOSUP;
}

/* There is no thread that could come here. */
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
}

void rtg_thread_yield(void)
{
}

int rtg_thread_set_level(struct rtg_thread *t, uint32_t level, uint32_t call)
{
    (void)t;
    (void)level;
    (void)call;
    return RTG_ENOSUP;
}

uint32_t rtg_set_level_calls(void)
{
    return 0;
}

const char *rtg_set_level_call_name(uint32_t call)
{
    (void)call;
    return "";
}

int rtg_thread_query(struct rtg_thread *t, struct rtg_thread_state *state)
{
    (void)t;
    (void)state;
    return RTG_ENOSUP;
}
