/*
 * What everything costs in virtual time. This is the one table from which every
 * figure that a test gives on the fake port can be computed by hand.
 *
 * A thread pays for a call before the call takes effect, and can be pre-empted
 * and interrupted while it pays. The costs marked "masked" are paid after the
 * effect with interrupts off: what falls due meanwhile is delivered at the end.
 */
#ifndef RTGAUGE_FAKE_COSTS_H
#define RTGAUGE_FAKE_COSTS_H

#include <stdint.h>

/* Times in ns of virtual time. */
struct fake_costs {
    uint32_t stamp;           /* one read of the stamp clock; the value is that of its end */
    uint32_t poll;            /* rtg_cpu_relax, rtg_cpu_now, rtg_stop_asked */
    uint32_t os_now;          /* rtg_os_now, an OS clock, the time of day without the kernel */
    uint32_t syscall;         /* the time of day through the kernel, rtg_os_tick, rtg_usage */
    uint32_t query;           /* rtg_thread_query */
    uint32_t create;          /* rtg_thread_create */
    uint32_t terminate;       /* from the return of an entry to the end of its thread */
    uint32_t join;            /* rtg_thread_join */
    uint32_t deletion;        /* rtg_thread_delete, rtg_thread_delete_unstarted */
    uint32_t yield;           /* rtg_thread_yield */
    uint32_t park;            /* rtg_thread_park */
    uint32_t control;         /* rtg_thread_start, rtg_thread_suspend, rtg_thread_resume */
    uint32_t set_level;       /* rtg_thread_set_level */
    uint32_t sem_new;         /* create or destroy an unnamed semaphore */
    uint32_t sem_new_named;   /* create or destroy a named semaphore */
    uint32_t sem;             /* acquire, try, release or read a semaphore */
    uint32_t mutex_new;       /* create or destroy a mutex */
    uint32_t mutex;           /* lock, try or unlock a mutex */
    uint32_t queue_new;       /* create or destroy a message queue */
    uint32_t queue;           /* a send or receive, */
    uint32_t queue_16_bytes;  /* and for each 16 bytes of the message, begun or whole */
    uint32_t sleep;           /* a sleep call */
    uint32_t timer_new;       /* create or destroy a timer */
    uint32_t timer_wait;      /* rtg_timer_wait */
    uint32_t block_cycle;     /* rtg_service_do: a block of memory taken and given back */
    uint32_t event;           /* masked: recording one event of the system's own */
    uint32_t irq_return;      /* masked: from the end of that handler until threads run again */
    uint32_t irq_handler;     /* masked: the handler of an interrupt that a test asked for */
    uint32_t heap;            /* rtg_heap_get or rtg_heap_put */
    uint32_t pool;            /* rtg_pool_get or rtg_pool_put */
    uint32_t file_name;       /* create, open or delete a file */
    uint32_t file;            /* close, read, write, flush, forget or look at one, */
    uint32_t file_16_bytes;   /* and for each 16 bytes read or written, begun or whole */
    uint32_t medium_read;     /* a read of what is not in memory, beside that */
    uint32_t medium_write;    /* a flush of what was written, beside that */
    uint32_t io;              /* one read of the request or write of the trace */
    uint32_t block;           /* masked: putting the caller to sleep */
    uint32_t wake;            /* masked: making a waiter ready from a thread */
    uint32_t switching;       /* masked: giving the CPU to another thread, or leaving idle */
    uint32_t timer_interrupt; /* masked: one expiry of a sleep, a time-out or a timer */
    uint32_t tick_interrupt;  /* masked: one clock tick */
};

static const struct fake_costs fake_costs = {
    .stamp = 10,
    .poll = 10,
    .os_now = 20,
    .syscall = 100,
    .query = 200,
    .create = 5000,
    .terminate = 600,
    .join = 1000,
    .deletion = 1200,
    .yield = 300,
    .park = 100,
    .control = 150,
    .set_level = 250,
    .sem_new = 150,
    .sem_new_named = 3000,
    .sem = 100,
    .mutex_new = 150,
    .mutex = 100,
    .queue_new = 800,
    .queue = 200,
    .queue_16_bytes = 1,
    .sleep = 200,
    .timer_new = 400,
    .timer_wait = 200,
    .block_cycle = 240,
    .event = 30,
    .irq_return = 300,
    .irq_handler = 700,
    .heap = 300,
    .pool = 80,
    .file_name = 4000,
    .file = 300,
    .file_16_bytes = 1,
    .medium_read = 90000,
    .medium_write = 150000,
    .io = 5000,
    .block = 200,
    .wake = 250,
    .switching = 500,
    .timer_interrupt = 1500,
    .tick_interrupt = 800,
};

#define FAKE_BOOT_NS 1000000000u /* the sleep clock when the process begins */
#define FAKE_TICK_NS 1000000u    /* period of the clock tick; the first is one period after boot */
#define FAKE_SLICE_TICKS 10u     /* a time slice, counted in ticks */

#endif
