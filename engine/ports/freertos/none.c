/* What this kernel has not: processes, signals, files, events of its own. */
#include "rtgauge/port.h"

int rtg_process_create(struct rtg_process *p, const struct rtg_thread_spec *spec)
{
    (void)p;
    (void)spec;
    return RTG_ENOSUP;
}

int rtg_process_join(struct rtg_process *p)
{
    (void)p;
    return RTG_ENOSUP;
}

int rtg_process_kill(struct rtg_process *p)
{
    (void)p;
    return RTG_ENOSUP;
}

int rtg_signal_catch(void (*handler)(uint32_t value))
{
    (void)handler;
    return RTG_ENOSUP;
}

int rtg_signal_send(struct rtg_thread *t, uint32_t value)
{
    (void)t;
    (void)value;
    return RTG_ENOSUP;
}

int rtg_signal_send_process(struct rtg_process *p, uint32_t value)
{
    (void)p;
    (void)value;
    return RTG_ENOSUP;
}

/* ---- the kernel's own events ------------------------------------------------ */

int rtg_events_open(const struct rtg_clock *clock, const char **why)
{
    (void)clock;
    *why = "FreeRTOS records no events of its own";
    return RTG_ENOSUP;
}

void rtg_events_close(void)
{
}

int rtg_events_facts(struct rtg_events_facts *facts)
{
    (void)facts;
    return RTG_ENOSUP;
}

int rtg_events_record(bool on)
{
    (void)on;
    return RTG_ENOSUP;
}

int rtg_events_clear(void)
{
    return RTG_ENOSUP;
}

int rtg_events_count(int32_t cpu, struct rtg_events_count *count)
{
    (void)cpu;
    (void)count;
    return RTG_ENOSUP;
}

int rtg_events_read(int32_t cpu, rtg_event_fn take, void *to)
{
    (void)cpu;
    (void)take;
    (void)to;
    return RTG_ENOSUP;
}

/* ---- files -------------------------------------------------------------------- */

int rtg_files_where(struct rtg_files *files)
{
    (void)files;
    return RTG_ENOSUP;
}

int rtg_file_create(struct rtg_file *f, uint32_t number)
{
    (void)f;
    (void)number;
    return RTG_ENOSUP;
}

int rtg_file_open(struct rtg_file *f, uint32_t number)
{
    return rtg_file_create(f, number);
}

int rtg_file_close(struct rtg_file *f)
{
    (void)f;
    return RTG_ENOSUP;
}

int rtg_file_delete(uint32_t number)
{
    (void)number;
    return RTG_ENOSUP;
}

int rtg_file_read(struct rtg_file *f, uint64_t at, void *to, uint32_t bytes)
{
    (void)f;
    (void)at;
    (void)to;
    (void)bytes;
    return RTG_ENOSUP;
}

int rtg_file_write(struct rtg_file *f, uint64_t at, const void *from, uint32_t bytes)
{
    (void)f;
    (void)at;
    (void)from;
    (void)bytes;
    return RTG_ENOSUP;
}

int rtg_file_flush(struct rtg_file *f)
{
    (void)f;
    return RTG_ENOSUP;
}

int rtg_file_forget(struct rtg_file *f)
{
    (void)f;
    return RTG_ENOSUP;
}

int rtg_file_cached(struct rtg_file *f, uint64_t at, uint32_t bytes, bool *cached, const char **how)
{
    (void)f;
    (void)at;
    (void)bytes;
    (void)cached;
    *how = "FreeRTOS has no files";
    return RTG_ENOSUP;
}
