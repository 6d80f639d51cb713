/*
 * fake.h - the parts of the fake operating system, and who may call whom.
 *
 *   fake_time.h, time.c  virtual time, the tick, expiries, interrupts
 *   faults.h, faults.c   what can be wrong with all this, one thing at a time
 *   queue.c              orders of threads
 *   fiber.c              one stack and one set of registers for each thread
 *   sched.c              who runs: ready queues, the switch, blocking, waking
 *   thread.c             the thread calls of port.h
 *   inherit.c            levels lent by mutexes
 *   events.c             what happens, recorded on demand
 *   interrupts.c         interrupts that a test asks for
 *   level.c sem.c mutex.c timer.c os.c memory.c port.c apart.c   the other calls of port.h
 *
 * A call of port.h has three steps: it pays (fake_compute; it may be pre-empted
 * there), it takes effect at one instant, and it settles (what is due is
 * delivered, a higher thread gets the CPU). Between paying and settling nothing
 * else runs, so the effect needs no lock.
 */
#ifndef RTGAUGE_FAKE_H
#define RTGAUGE_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fake_time.h"
#include "faults.h"
#include "rtgauge/port.h"

#define FAKE_LEVELS 63u          /* real-time levels */
#define FAKE_PRIORITIES 64u      /* 0: the normal class; level l has priority l + 1 */
#define FAKE_THREADS 2048u       /* live at once, the first one included */
#define FAKE_STACK_BYTES 262144u /* of each thread, touched only where it is used */
#define FAKE_CODE_BYTES 100000u  /* what rtg_footprint tells */
#define FAKE_DATA_BYTES 2000u
#define FAKE_ZERO_BYTES 8000u
#define FAKE_KERNEL_BYTES 50000u
#define FAKE_CONTROL_BYTES 128u /* of the kernel, for each thread and each other object */
#define FAKE_EXIT_DEADLOCK 87   /* every thread waits and nothing is due */
#define FAKE_OBJECT_BYTES 64u   /* what rtg_usage counts for an object that is no thread */
#define FAKE_REAL_SECONDS 60u   /* real time without progress after which the process ends */

enum fake_state { FAKE_FREE, FAKE_READY, FAKE_RUNNING, FAKE_WAITING, FAKE_ENDED };
enum fake_reason {
    FAKE_NOTHING,
    FAKE_SEM,
    FAKE_MUTEX,
    FAKE_SLEEP,
    FAKE_PARK,
    FAKE_PREPARED,
    FAKE_SUSPENDED,
    FAKE_JOIN,
    FAKE_TIMER,
    FAKE_MESSAGES
};
enum fake_end { FAKE_HEAD, FAKE_TAIL };

struct fake_fiber; /* fiber.c */

struct fake_thread {
    struct fake_thread *previous, *next; /* in the queue `in` */
    struct fake_queue *in;
    enum fake_state state;
    enum fake_reason waits_for;
    enum rtg_policy policy;
    uint8_t base;     /* the priority that was asked for */
    uint8_t priority; /* the one in force, raised by mutexes */
    uint32_t cpu;     /* that it runs on */
    bool started;
    uint32_t slice; /* ticks left */
    uint32_t usual_slice;
    bool slice_over;
    uint64_t involuntary; /* switches away from it while it was ready */
    int result;           /* of the wait that has ended */
    struct fake_expiry timeout;
    struct rtg_mutex *wants; /* the mutex it waits for */
    struct rtg_mutex *held;  /* the mutexes it holds */
    struct fake_thread *joiner;
    struct fake_message *message; /* that it waits to send, or has room for */
    rtg_entry entry;
    void *arg;
    struct fake_fiber *fiber;
};

/* What has happened; rtg_port_counters and rtg_usage. */
struct fake_counts {
    uint64_t ticks, expiries, switches, kernel_entries;
    uint64_t threads, objects, handles; /* live now; objects without threads */
    uint64_t heap_bytes;                /* that are out */
};
extern struct fake_counts fake_counts;

extern struct fake_thread *fake_current; /* the thread on the CPU */

/* ---- time.c: expiries and interrupts ---- */

void fake_expiry_set(struct fake_expiry *expiry, uint64_t due);
void fake_expiry_clear(struct fake_expiry *expiry);
void fake_deliver_due(void);         /* runs what is due up to now */
void fake_idle_until_next(void);     /* jumps to the next event; ends the process at a deadlock */
uint64_t fake_last_tick(void);       /* ns of the last tick */
void fake_watchdog_at(uint64_t due); /* the engine ends then; FAKE_NEVER: disarmed */
void fake_limit_at(uint64_t due);    /* the same, set once */

/* ---- queue.c ---- */

void fake_queue_put(struct fake_queue *queue, struct fake_thread *thread, enum fake_end end);
void fake_queue_put_by_priority(struct fake_queue *queue, struct fake_thread *thread);
void fake_queue_remove(struct fake_thread *thread);
uint32_t fake_queue_length(const struct fake_queue *queue);

/* ---- fiber.c ---- */

bool fake_fibers_init(void);
struct fake_fiber *fake_fiber_of(uint32_t index); /* 0: the stack that main runs on */
void fake_fiber_prepare(struct fake_fiber *fiber, void (*first)(void));
void fake_fiber_forget(struct fake_fiber *fiber); /* it will not be resumed */
void fake_fiber_switch(struct fake_fiber *from, struct fake_fiber *to, bool from_ends);
void fake_fiber_arrived(void); /* first call on a new fiber */

/* ---- sched.c ---- */

void fake_make_ready(struct fake_thread *thread, enum fake_end end);
/* Takes the caller off the CPU, wherever it was put; returns when it is back. */
void fake_dispatch(void);
/* The end of every call: delivers what is due and pre-empts the caller when a
 * higher thread is ready. */
void fake_settle(void);
void fake_tick_slice(void); /* from the tick interrupt */
/* Gives the CPU to a ready thread that has no right to it: for faults. */
void fake_favour(struct fake_thread *thread);
struct fake_thread *fake_highest_lower(void); /* ready and below the caller, or NULL */
void fake_unready(struct fake_thread *thread);
/* Waiting, in two steps so that the caller can act in between: join the queue
 * (NULL: none) with a due time (FAKE_NEVER: none), then give up the CPU. */
void fake_wait_begin(enum fake_reason reason, struct fake_queue *queue, uint64_t due);
int fake_wait(void);
void fake_wake(struct fake_thread *thread, int result);
uint64_t fake_time_out(uint64_t due); /* when a wait that is limited to `due` ends */
/* Puts another priority in force; a ready thread goes to that end. */
void fake_change_priority(struct fake_thread *thread, uint8_t priority, enum fake_end end);
void fake_place_caller(enum fake_end end); /* after its own priority was changed */
void fake_enter_kernel(void);              /* notes that a call could not do without the kernel */

/* ---- thread.c ---- */

bool fake_threads_init(void); /* makes the caller the first thread */

uint32_t fake_thread_number(const struct fake_thread *thread);

/* ---- events.c ---- */

/* Records that `thread` gets the CPU or is woken; others: no thread, but a name. */
void fake_event(enum rtg_event_kind kind, const struct fake_thread *thread, uint64_t due,
                const char *name);

/* ---- interrupts.c ---- */

void fake_other_interrupt(uint64_t begin, uint64_t end); /* the tick has been handled */

/* ---- inherit.c ---- */

/* Brings the priority in force of `thread` up to date, and of all who hold what
 * it waits for, in a chain. `when_lowered`: the end of its ready queue that it
 * comes to when that lowers it; a raised thread comes to the tail. */
void fake_refresh_priority(struct fake_thread *thread, enum fake_end when_lowered);
/* The same when a mutex no longer lends what it lent. */
void fake_restore_priority(struct fake_thread *thread, enum fake_fault unless);
void fake_hold(struct rtg_mutex *mutex, struct fake_thread *owner);
void fake_let_go(struct rtg_mutex *mutex);

/* ---- apart.c ---- */

/* In the child that rtg_kernel_entered makes: ends it. Else nothing. */
void fake_apart_entered(void);

/* ---- port.c ---- */

void fake_end_process(int status, const char *line);

#endif
