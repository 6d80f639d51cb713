/*
 * port.h - the whole contract between rtgauge and an operating system.
 *
 * A port is one folder, engine/ports/<os>/: port.cmake, rtg_port_types.h and the
 * sources that define every function below. Nothing outside the folder knows
 * the system's name. An operation that the system lacks returns RTG_ENOSUP.
 *
 * Words:
 *   level  a scheduling priority as rtgauge counts them: 0 is the lowest
 *          real-time priority, rtg_level_count() - 1 the highest. A larger
 *          number always wins. The port maps levels to its own numbers.
 *   cpu    0 to rtg_cpu_count() - 1.
 *   ns     nanoseconds of the port's sleep clock (rtg_os_now), which never
 *          steps and counts on while threads sleep.
 *
 * Unless stated otherwise every function returns RTG_OK or one of the errors
 * below, and may be called from any thread, but not from an interrupt handler.
 */
#ifndef RTGAUGE_PORT_H
#define RTGAUGE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The port's own: RTG_STAMP_BITS (32 or 64), RTG_FRAME_MAX (largest frame of
 * the trace in bytes before stuffing, 256 to 65536) and the complete types
 * struct rtg_thread, rtg_process, rtg_sem, rtg_mutex, rtg_queue, rtg_timer, rtg_service,
 * rtg_pool, rtg_file. Zero-filled objects are never valid; each is made by its create call. */
#include "rtg_port_types.h"

enum rtg_error {
    RTG_OK = 0,
    RTG_ENOSUP,   /* this system has no such thing */
    RTG_EPERM,    /* it has, but this process may not use it */
    RTG_ETIMEOUT, /* the time limit of the call was reached */
    RTG_EBUSY,    /* would have to wait (try calls), or the object is in use */
    RTG_EFULL,    /* out of memory, handles, or beyond a maximum */
    RTG_EINVAL,   /* an argument is out of its range */
    RTG_EFAIL     /* anything else */
};

enum rtg_policy {
    RTG_NORMAL,  /* the system's default class, below every level */
    RTG_FIFO,    /* real-time, runs until it blocks, yields or is pre-empted */
    RTG_RR,      /* the same with a time slice among equals */
    RTG_DEADLINE /* runtime/period reservation */
};

/* ---- the process ------------------------------------------------------- */

/* What the user allows. */
struct rtg_limits {
    uint32_t max_level; /* no thread of a test is ever put above this level; UINT32_MAX: any */
    int32_t cpu;        /* the CPU under test */
    uint64_t memory;    /* bytes of sample memory wanted */
    uint64_t time_ns;   /* the whole engine ends after this, whatever happens; 0: never */
};

/* Called once, first. Prepares the process: locks its memory where it may,
 * makes sure that it ends when its parent does, pins the calling thread to
 * limits->cpu. Changes nothing outside the process. */
int rtg_port_init(const struct rtg_limits *limits);

/* One line of the system's facts: text, or a number where `text` is NULL. Texts
 * stay valid until the process ends. At most RTG_MAX_FACTS lines are kept. */
#define RTG_MAX_FACTS 128
typedef void (*rtg_fact_fn)(void *to, const char *name, const char *text, int64_t number);

/* Reports what the system is, as read from it at run time: at least "os",
 * "release", "version", "machine", "cpus", "levels". */
void rtg_port_facts(rtg_fact_fn fact, void *to);

/* Reports running counters of the CPU under test and of this process whose
 * difference over a test is evidence, e.g. "steal_ticks", "timer_interrupts",
 * "minor_faults". Numbers only grow. */
void rtg_port_counters(rtg_fact_fn fact, void *to);

/* RTG_OK when threads can be given levels here; RTG_EPERM when a privilege is
 * missing, RTG_ENOSUP when the system has no priorities. Found by trying.
 * *why receives one line of explanation (static text). */
int rtg_realtime_allowed(const char **why);

/* Memory for samples, touched and locked before it is returned: at most *bytes
 * are asked for, *bytes receives what was got (0 when nothing). Called once.
 * Aligned for any type. */
void *rtg_sample_memory(size_t *bytes);

/* Other memory, on the same terms, for one test at a time; NULL when there is
 * none. rtg_scratch_put takes what rtg_scratch_get gave. */
void *rtg_scratch_get(size_t *bytes);
void rtg_scratch_put(void *memory, size_t bytes);

/* Reads up to `size` bytes of the request. Returns the number read, 0 at the
 * end, -1 on error. Blocks. */
long rtg_port_read(void *to, size_t size);

/* Writes all `size` bytes of the trace or returns RTG_EFAIL. Blocks. */
int rtg_port_write(const void *from, size_t size);

/* True once somebody has asked the engine to stop early. Cheap; never blocks. */
bool rtg_stop_asked(void);

/* Arms the watchdog: unless called again within `ns`, the whole engine is ended
 * from above every level, with exit status RTG_EXIT_WATCHDOG. 0 disarms. */
void rtg_watchdog(uint64_t ns);
#define RTG_EXIT_WATCHDOG 86

/* Ends the engine. Never returns. */
void rtg_port_exit(int status);

/* ---- processors -------------------------------------------------------- */

uint32_t rtg_cpu_count(void);        /* CPUs that this process may use, at least 1 */
uint32_t rtg_cpu_at(uint32_t index); /* the system's number of the index-th of them */
uint32_t rtg_cpu_now(void);          /* the CPU that the caller runs on */
void rtg_cpu_relax(void);            /* a hint inside a spinning loop */

/* ---- threads ----------------------------------------------------------- */

/* Real-time priority levels under limits->max_level, at least 1. */
uint32_t rtg_level_count(void);

typedef void (*rtg_entry)(void *arg);

struct rtg_thread_spec {
    rtg_entry entry;
    void *arg;
    enum rtg_policy policy;
    uint32_t level;      /* ignored for RTG_NORMAL and RTG_DEADLINE */
    int32_t cpu;         /* system's CPU number, or -1: any */
    uint32_t stack;      /* bytes; 0: the port's default (small) */
    uint64_t runtime_ns; /* RTG_DEADLINE only: runtime within each period */
    uint64_t period_ns;  /* RTG_DEADLINE only; the deadline equals the period */
};

/* Creates a thread that is ready to run at once with exactly these properties
 * (never inherited from the creator). *t must stay in place until join or
 * delete returns. Errors: EPERM, EFULL, EINVAL, ENOSUP. */
int rtg_thread_create(struct rtg_thread *t, const struct rtg_thread_spec *spec);

/* Why rtg_thread_create answers ENOSUP to this policy, one sentence (static text), e.g. which
 * option of the build decides it; NULL: it does not, or there is no more to say. Only of ports that
 * define RTG_PORT_TELLS_POLICY in rtg_port_types.h. */
const char *rtg_policy_lacking(enum rtg_policy policy);

/* Blocks until the thread has returned from its entry and its memory is back. */
int rtg_thread_join(struct rtg_thread *t);

/* Deletes a thread that is blocked in rtg_sem_acquire, rtg_sleep_until or
 * rtg_thread_park; returns when its memory is back. */
int rtg_thread_delete(struct rtg_thread *t);

/* Deletes a thread that has not executed one instruction of its entry, and
 * guarantees that it never will. ENOSUP where that cannot be guaranteed; then
 * nothing has happened and the thread must still be joined. */
int rtg_thread_delete_unstarted(struct rtg_thread *t);

/* The two halves of rtg_thread_create: a prepared thread is not ready until it is
 * started. Both ENOSUP where a thread cannot be made without making it ready. */
int rtg_thread_prepare(struct rtg_thread *t, const struct rtg_thread_spec *spec);
int rtg_thread_start(struct rtg_thread *t);

/* Takes a ready thread, or the caller when t is NULL, off the ready queue until it is
 * resumed. EBUSY: the thread waits for something, and the system cannot suspend it then;
 * EINVAL: it is not suspended. */
int rtg_thread_suspend(struct rtg_thread *t);
int rtg_thread_resume(struct rtg_thread *t);

/* Blocks the caller for ever; only rtg_thread_delete ends it. */
void rtg_thread_park(void);

/* Puts the caller at the tail of its level's ready queue. */
void rtg_thread_yield(void);

/* Changes the level of *t, or of the caller when t is NULL. Systems may have
 * several calls for it with different rules for the ready queue: `call` is 0 to
 * rtg_set_level_calls() - 1, 0 the usual one. The policy stays as it is. */
int rtg_thread_set_level(struct rtg_thread *t, uint32_t level, uint32_t call);
uint32_t rtg_set_level_calls(void);
const char *rtg_set_level_call_name(uint32_t call); /* e.g. "pthread_setschedprio" */

/* What the running system says of a thread (the caller when t is NULL); never
 * a copy of what was asked. */
struct rtg_thread_state {
    enum rtg_policy policy;
    int32_t level;        /* -1 for RTG_NORMAL and RTG_DEADLINE */
    int32_t cpu;          /* the only CPU it may run on, or -1: several */
    uint64_t involuntary; /* switches away from it while it could run; UINT64_MAX: not counted */
    uint64_t faults;      /* page faults; both only for the caller, else 0 */
};
int rtg_thread_query(struct rtg_thread *t, struct rtg_thread_state *state);

/* ---- processes --------------------------------------------------------- */

/* Memory that the caller and the processes that it creates later see at the same
 * address: zero-filled, touched and locked in the caller. At most *bytes are asked
 * for, *bytes receives what was got; NULL when there is none. Where the system
 * has no processes it is plain memory. */
void *rtg_shared_get(size_t *bytes);
void rtg_shared_put(void *memory, size_t bytes); /* no process may use it any more */

/* Runs spec->entry in a process of its own, which has a copy of the caller's memory
 * (but for rtg_shared_get's) and one thread with exactly the properties of `spec`,
 * its memory locked where that is allowed. Returns when these are in force; the
 * process is then ready to run. It ends when its entry returns, and with the thread
 * that created it. Errors: EPERM, EFULL, EINVAL, ENOSUP. */
int rtg_process_create(struct rtg_process *p, const struct rtg_thread_spec *spec);
int rtg_process_join(struct rtg_process *p); /* EFAIL: it ended before its entry returned */
int rtg_process_kill(struct rtg_process *p); /* returns when it is gone */

/* ---- semaphores -------------------------------------------------------- */

enum rtg_sem_kind { RTG_COUNTING, RTG_BINARY };
/* SHARED: unnamed, in memory of rtg_shared_get, for several processes. */
enum rtg_sem_name { RTG_UNNAMED, RTG_NAMED, RTG_SHARED };

/* Any initial value from 0 to rtg_sem_max(kind). A named one gets a name of the
 * port's choosing that nobody else uses. ENOSUP for a kind that the system lacks. */
int rtg_sem_create(struct rtg_sem *s, enum rtg_sem_kind kind, enum rtg_sem_name name,
                   uint32_t initial);
int rtg_sem_destroy(struct rtg_sem *s);                        /* no thread may be waiting */
int rtg_sem_acquire(struct rtg_sem *s);                        /* blocks while the value is 0 */
int rtg_sem_try(struct rtg_sem *s);                            /* EBUSY instead of blocking */
int rtg_sem_acquire_until(struct rtg_sem *s, uint64_t due_ns); /* ETIMEOUT when due */
int rtg_sem_release(struct rtg_sem *s); /* wakes one waiter or adds 1; EFULL at the maximum */
int rtg_sem_value(struct rtg_sem *s, uint32_t *value);
uint32_t rtg_sem_max(enum rtg_sem_kind kind);

/* ---- mutexes ----------------------------------------------------------- */

enum rtg_protocol { RTG_INHERIT, RTG_PROTECT, RTG_NONE };
enum rtg_mutex_kind { RTG_MUTEX, RTG_NATIVE }; /* NATIVE: the OS's own beside its POSIX one */

struct rtg_mutex_spec {
    enum rtg_mutex_kind kind;
    enum rtg_protocol protocol;
    uint32_t ceiling; /* level; RTG_PROTECT only */
    bool recursive;
    bool shared; /* lies in memory of rtg_shared_get, for several processes */
};
int rtg_mutex_create(struct rtg_mutex *m, const struct rtg_mutex_spec *spec);
int rtg_mutex_destroy(struct rtg_mutex *m);
int rtg_mutex_lock(struct rtg_mutex *m); /* EINVAL: the caller is above the ceiling */
int rtg_mutex_try(struct rtg_mutex *m);  /* EBUSY */
int rtg_mutex_lock_until(struct rtg_mutex *m, uint64_t due_ns); /* ETIMEOUT when due */
int rtg_mutex_unlock(struct rtg_mutex *m);

/* ---- message queues ---------------------------------------------------- */

/* Messages of up to `size` bytes, at most `messages` of them. Usable by processes that
 * are created later. Errors of create: EFULL, EINVAL (beyond a limit), EPERM, ENOSUP. */
int rtg_queue_create(struct rtg_queue *q, uint32_t messages, uint32_t size);
int rtg_queue_destroy(struct rtg_queue *q); /* no thread may be waiting */

/* Messages leave by priority (0 lowest, below rtg_queue_priorities()), equals in the order
 * in which they came. A full queue blocks the sender, an empty one the receiver.
 * EINVAL: larger than the queue's size, or a priority that does not exist. ENOSUP: smaller,
 * where all messages of a queue have its size. */
int rtg_queue_send(struct rtg_queue *q, const void *message, uint32_t size, uint32_t priority);
int rtg_queue_send_until(struct rtg_queue *q, const void *message, uint32_t size, uint32_t priority,
                         uint64_t due_ns); /* ETIMEOUT when due */
/* `to` has room for the queue's size; *size and *priority receive those of the message. */
int rtg_queue_receive(struct rtg_queue *q, void *to, uint32_t *size, uint32_t *priority);
int rtg_queue_receive_until(struct rtg_queue *q, void *to, uint32_t *size, uint32_t *priority,
                            uint64_t due_ns); /* ETIMEOUT when due */
uint32_t rtg_queue_priorities(void);          /* 1: messages have none */

/* ---- queued signals ---------------------------------------------------- */

/* From now on signals sent to the calling thread, or to its process, run `handler` in
 * it with the value sent; none is lost or joined with another. NULL: no longer. One
 * thread of a process at a time. */
int rtg_signal_catch(void (*handler)(uint32_t value));
int rtg_signal_send(struct rtg_thread *t, uint32_t value);
int rtg_signal_send_process(struct rtg_process *p, uint32_t value);

/* ---- time -------------------------------------------------------------- */

uint64_t rtg_os_now(void);            /* ns of the sleep clock */
int rtg_sleep_until(uint64_t due_ns); /* absolute; returns at once when due is past */
int rtg_sleep_for(uint64_t ns);       /* the OS's own relative sleep, 0 included */

/* A periodic timer whose expiries the calling thread can wait for. The first
 * expiry is at first_ns (absolute). The interrupt comes whether or not the
 * owner runs. Only the thread that created it may wait. */
int rtg_timer_create(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns);
/* The same by the OS's own kind of timer beside the one of its standard; ENOSUP where
 * there is one kind only. */
int rtg_timer_create_native(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns);
int rtg_timer_wait(struct rtg_timer *t, uint64_t *expiries); /* since the last wait, >= 1 */
int rtg_timer_destroy(struct rtg_timer *t);

/* A number that changes exactly once per clock tick of the OS. ENOSUP where
 * none can be read. */
int rtg_os_tick(uint64_t *value);
/* Whether the tick period can be changed: 1 yes, 0 no, -1 unknown, and how that
 * is known (static text). */
int rtg_tick_changeable(const char **how);

/* The OS's clocks, index 0 up; ENOSUP past the last. Resolution as the OS
 * states it, in ns. `read` returns ns since that clock's own beginning. */
struct rtg_os_clock {
    const char *name;
    uint64_t resolution_ns;
    uint64_t (*read)(void);
};
int rtg_os_clock(uint32_t index, struct rtg_os_clock *clock);

/* The time of day in ns, read through the kernel, and without entering it. The
 * second may be NULL where there is no such way. */
uint64_t rtg_time_of_day_syscall(void);
extern uint64_t (*const rtg_time_of_day_user)(void);

/* ---- the system's own events ------------------------------------------- */

/* What the kernel did and when, as it records it itself, in stamps of a test's clock.
 * For one user at a time; never called between two stamps. */
enum rtg_event_kind {
    RTG_EVENT_SWITCH,
    RTG_EVENT_WAKING,
    RTG_EVENT_IRQ_ENTRY, /* the handler of one device's interrupt */
    RTG_EVENT_IRQ_EXIT,
    RTG_EVENT_SOFTIRQ_ENTRY, /* work that interrupts leave behind */
    RTG_EVENT_SOFTIRQ_EXIT,
    RTG_EVENT_VECTOR_ENTRY, /* an interrupt of the processor's own: timers, other CPUs */
    RTG_EVENT_VECTOR_EXIT,
    RTG_EVENT_TIMER_DUE, /* a timer's function begins */
    RTG_EVENT_TIMER_EXIT,
    RTG_EVENT_NOISE,    /* by the system's own account: an interrupt, softirq or thread has ended */
    RTG_EVENT_PLACE,    /* in which function the interrupt that was just entered came */
    RTG_EVENT_IRQS_OFF, /* interrupts are switched off, and on again */
    RTG_EVENT_IRQS_ON,
    RTG_EVENT_KINDS
};

struct rtg_event {
    uint64_t at;     /* stamp */
    uint64_t due_ns; /* TIMER_DUE: when it was due, ns of the sleep clock; 0: not known.
                        NOISE: how long it lasted, ns, without what interrupted it */
    uint32_t cpu;    /* on which it happened */
    enum rtg_event_kind kind;
    int32_t id;    /* thread that runs next or is woken; number of the interrupt, softirq or vector.
                      PLACE: 0 the function, 1 its caller, and so on; before them -1, alone where
                      nothing of the system's ran */
    int32_t other; /* thread that was running; SWITCH: the one before it */
    int32_t level; /* priority of the thread `id` as the system numbers it; -1: none or not known */
    int32_t target; /* WAKING: CPU that the thread will run on, else -1 */
    char name[32];  /* of the thread, interrupt, softirq, vector, or the timer's function; of the
                       function for PLACE, and that switched interrupts for IRQS */
    char state[8];  /* SWITCH: what the thread before was left in, by the system's letters.
                       NOISE: "irq", "softirq", "thread", "nmi" */
};

struct rtg_events_facts {
    const char *missing;    /* kinds that cannot be recorded here, separated by spaces; "" none */
    uint64_t bytes;         /* room on each CPU; the newest events survive */
    uint64_t resolution_ns; /* to which their times are known; 0: that of the stamp clock */
};

/* Prepares the recording, in stamps of `clock` (clock.h); nothing is recorded yet. Events
 * of the CPU under test are kept, and of some others that this process may use. What it
 * makes in the system is private, and goes with rtg_events_close or the next open after
 * this process has died. ENOSUP, EPERM, EBUSY (open already); *why receives one line. */
struct rtg_clock;
int rtg_events_open(const struct rtg_clock *clock, const char **why);
void rtg_events_close(void);
int rtg_events_facts(struct rtg_events_facts *facts); /* EINVAL: not open; so the others */

/* Begins, or freezes at once, from any thread. Events already kept stay. */
int rtg_events_record(bool on);
int rtg_events_clear(void); /* forgets them and the count of lost ones; only while frozen */

/* Of one CPU since the last clear: events kept, events that were overwritten or that the
 * kernel dropped, and how full the room is. ENOSUP: none are recorded of that CPU. */
struct rtg_events_count {
    uint64_t kept, lost, bytes;
};
int rtg_events_count(int32_t cpu, struct rtg_events_count *count);

/* Calls take(to, event) for each event kept of a CPU, oldest first, until it returns
 * false; only while frozen. The event is valid during the call. */
typedef bool (*rtg_event_fn)(void *to, const struct rtg_event *event);
int rtg_events_read(int32_t cpu, rtg_event_fn take, void *to);

/* ---- interrupts that a test can ask for -------------------------------- */

/* A source counts on by itself, whatever the CPU under test does. Index 0 up; ENOSUP past
 * the last. Several sources are in rising order of their interrupts' own levels. */
struct rtg_irq_source {
    const char *name;  /* "timer", ...; a second one of the same kind has "-2" behind it */
    const char *marks; /* how entry and exit of its handler become known, one phrase */
    bool threaded;     /* its handler runs in a thread of the system's */
    bool nests;        /* its handler can be interrupted by that of a higher source */
    bool holds;        /* its handler can be made to last */
    bool wakes_all;    /* its handler makes every waiter ready, of which one is served */
    bool tells_others; /* its marks tell what other handlers came before, between and after */
    bool shares_tick;  /* what is due together with the clock tick is one interrupt with it */
};
int rtg_irq_source(uint32_t index, struct rtg_irq_source *source);

/* Claims a source; at most two at once. Marks are stamps of `clock`. ENOSUP, EPERM, EBUSY;
 * *why receives one line. */
int rtg_irq_open(uint32_t index, const struct rtg_clock *clock, const char **why);
void rtg_irq_close(uint32_t index);

/* One interrupt at due_ns of the sleep clock, on the CPU under test when called there;
 * replaces one that is not due yet. The handler lasts hold_ns longer than it must
 * (EINVAL above 0 where it cannot) and makes a thread in rtg_irq_wait ready. ETIMEOUT where
 * that time is over or too near; other sources interrupt at once then. */
int rtg_irq_fire(uint32_t index, uint64_t due_ns, uint64_t hold_ns);

/* `n` of them with handlers that do not last, at first_ns and every period_ns after it. One
 * whose time has passed when the handler of the one before ends is lost, and never made up for.
 * What has fired before and was not waited for is forgotten.
 * ENOSUP where the source cannot; EINVAL; ETIMEOUT as above. */
int rtg_irq_repeat(uint32_t index, uint64_t first_ns, uint64_t period_ns, uint64_t n);
struct rtg_irq_count {
    uint64_t generated; /* whose time has come */
    uint64_t serviced;  /* of them, by a handler */
    bool done;          /* all n are among the generated */
};
int rtg_irq_count(uint32_t index, struct rtg_irq_count *count);

/* Blocks until the source has fired since somebody last waited, and takes all of that. */
int rtg_irq_wait(uint32_t index);
/* Wakes one waiter without an interrupt, and for good: RTG_ETIMEOUT. */
int rtg_irq_cancel(uint32_t index);

/* What became of the interrupts fired since the last call, given by their due times in
 * rising order, at most RTG_IRQ_BATCH. Forgets all up to the last of them, and everything
 * without any. *lost: events that the system lost meanwhile; what is not found may then be
 * among them. */
#define RTG_IRQ_BATCH 256
struct rtg_irq_mark {
    uint64_t due_ns;      /* as fired */
    uint64_t entry, exit; /* stamps of the handler; 0: no such interrupt was found */
    uint32_t times;       /* that it was handled */
    bool alone;           /* nothing else of the system's is known to have come in between */
    uint64_t before;      /* end of the last other handler before it ... */
    uint64_t after;       /* ... and beginning of the next one; 0: none is known */
};
int rtg_irq_marks(uint32_t index, struct rtg_irq_mark *mark, uint32_t n, uint64_t *lost);

/* ---- work for loads ---------------------------------------------------- */

/* What only the system can do, in pieces of some us to a few ms, for engine/loads/. */
enum rtg_service_kind {
    RTG_SERVICE_CALLS,  /* short system calls without an effect */
    RTG_SERVICE_MEMORY, /* blocks of many sizes taken from the heap, written and given back */
    RTG_SERVICE_FILES,  /* blocks written to a file of at most 1 MB, each forced to the medium */
    RTG_SERVICE_SEARCH, /* entries of a tree of folders, each looked up */
    RTG_SERVICE_PACKETS /* TCP packets within this system, one there and one back */
};

/* Prepares one kind. *s must stay in place until rtg_service_end. Files and folders are
 * made in the folder in which the engine was started, of at most 1 MB and 1100 entries.
 * Errors: ENOSUP, EPERM, EFULL, EINVAL, EFAIL. */
int rtg_service_begin(struct rtg_service *s, enum rtg_service_kind kind);
/* Does one piece; *things receives how many calls, blocks, writes, entries or packets. */
int rtg_service_do(struct rtg_service *s, uint64_t *things);
int rtg_service_end(struct rtg_service *s); /* gives back all that it holds */

/* ---- memory as the system gives it ------------------------------------- */

/* The system's general allocator. The memory is aligned for any type; whether it has been
 * touched is the system's business. Errors: EFULL, ENOSUP. */
int rtg_heap_get(size_t bytes, void **memory);
void rtg_heap_put(void *memory);

/* A pool of `blocks` blocks of at least `size` bytes each. get never waits: EFULL when all
 * are out. Errors of create: EFULL, EINVAL, ENOSUP. */
int rtg_pool_create(struct rtg_pool *p, uint32_t blocks, uint32_t size);
int rtg_pool_destroy(struct rtg_pool *p); /* all blocks are back */
int rtg_pool_get(struct rtg_pool *p, void **block);
int rtg_pool_put(struct rtg_pool *p, void *block);

/* ---- files ------------------------------------------------------------- */

/* Files have numbers, 0 to RTG_FILE_NUMBERS - 1, and lie in the folder that the host has
 * given to the engine; without one every call answers ENOSUP. EFULL: the file system is
 * full, or there are too many files. */
#define RTG_FILE_NUMBERS 4096u

/* What the running system says of that folder. Texts stay valid until the next call. */
struct rtg_files {
    const char *system;  /* kind of the file system, e.g. "ext4" */
    const char *device;  /* that it lies on */
    const char *options; /* it is mounted with */
    const char *medium;  /* e.g. "rotating disk", "memory", "not known" */
    const char
        *unproven;    /* why a flush proves nothing here, a phrase; NULL: a medium lies behind */
    bool counts;      /* `written` is told */
    uint64_t written; /* writes that the medium's device has completed so far, for everybody */
};
int rtg_files_where(struct rtg_files *files);

int rtg_file_create(struct rtg_file *f, uint32_t number); /* new, empty and open; EBUSY: exists */
int rtg_file_open(struct rtg_file *f, uint32_t number);
int rtg_file_close(struct rtg_file *f);
int rtg_file_delete(uint32_t number); /* not open */
/* All of `bytes` at the offset `at`; EFAIL where the file ends before. */
int rtg_file_read(struct rtg_file *f, uint64_t at, void *to, uint32_t bytes);
int rtg_file_write(struct rtg_file *f, uint64_t at, const void *from, uint32_t bytes);
/* Returns when all that was written, and what is needed to find it, is on the medium. */
int rtg_file_flush(struct rtg_file *f);
/* Asks the system to keep nothing of a flushed file in memory. May not be followed. */
int rtg_file_forget(struct rtg_file *f);
/* Whether all of these bytes are in memory: *cached; *how receives the method (static
 * text). Does not change it. ENOSUP where it cannot be told. */
int rtg_file_cached(struct rtg_file *f, uint64_t at, uint32_t bytes, bool *cached,
                    const char **how);

/* ---- what the system offers and is ------------------------------------- */

/* Tries one of the features of the generated rtg_features.h on the running system. RTG_OK: it
 * works; ENOSUP: it is not there, or does not do what it should; EPERM; EINVAL: it has no
 * meaning on this system; EFAIL: it cannot be tried. *how receives one line that says what
 * was called, or begins with "declared" where nothing was; valid until the next call.
 * RTG_FEATURES, past the last, is tried like the others and no system has it: ENOSUP. */
int rtg_feature(uint32_t feature, const char **how);

/* What the system is built like. */
enum rtg_trait {
    RTG_TASK_MODEL,      /* whether tasks can have memory of their own */
    RTG_LARGEST_TASKS,   /* number of them at the same time */
    RTG_TASK_STATES,     /* number of them */
    RTG_MMU,             /* whether addresses are translated */
    RTG_PAGE_SIZE,       /* bytes */
    RTG_PAGING,          /* whether memory is given when it is touched */
    RTG_PROTECTION,      /* whether a wrong write is caught and hurts nobody else */
    RTG_PRIVILEGE,       /* whether the system's memory is out of reach of tasks */
    RTG_IRQ_NESTING,     /* whether a handler can be interrupted by another */
    RTG_HANDLER_CONTEXT, /* whether handlers run outside of any task */
    RTG_HANDLER_STACK,   /* whether handlers have a stack of their own */
    RTG_HANDLER_CALLS,   /* whether every call is allowed in a handler */
    RTG_LEAST_RAM,       /* bytes */
    RTG_TRAITS
};
struct rtg_trait_value {
    bool holds;     /* of a number: whether there is one */
    bool tried;     /* else declared */
    int64_t number; /* 0 where the trait is none */
    const char *how;
};
/* ENOSUP where it is not known. */
int rtg_trait(enum rtg_trait trait, struct rtg_trait_value *value);

/* ---- looking from outside ---------------------------------------------- */

/* Runs op(arg) once, apart from the engine, and finds out whether it entered
 * the kernel: *entered. *how receives the method (static text). */
int rtg_kernel_entered(void (*op)(void *), void *arg, bool *entered, const char **how);

/* What the process holds: bytes of memory, open handles, live threads and
 * kernel objects that can be counted. ENOSUP where nothing can be told. */
struct rtg_usage {
    uint64_t bytes;
    uint64_t handles;
    uint64_t objects;
};
int rtg_usage(struct rtg_usage *usage);

/* Bytes in memory before anything runs, and what the kernel takes beside. */
struct rtg_footprint {
    uint64_t code;           /* the engine's program: what is never written (code, constants), */
    uint64_t data;           /* data with initial values, */
    uint64_t zero;           /* data that begins as zero */
    uint64_t kernel;         /* the kernel's own code and static data; 0: not told */
    uint64_t kernel_now;     /* what it holds at the moment for all its objects; 0: not told */
    const char *program_how; /* what is counted, and how it is known (static texts) */
    const char *kernel_how;
};
int rtg_footprint(struct rtg_footprint *footprint); /* ENOSUP: nothing can be told */

/* Bytes of the largest data or unified cache of the CPU under test, 0 when
 * unknown; `private_` receives that of the last cache that no other CPU shares. */
uint64_t rtg_cache_bytes(uint64_t *private_);

/* ns that each instruction takes where nothing but instructions makes time pass: caches, and
 * all that the processor does beside, take none there. 0: time is real. */
uint32_t rtg_virtual_ns(void);

/* The stamp of the first clock at a time of the sleep clock, exactly: of ports whose sleep clock
 * reads the same counter, which define RTG_PORT_HAS_STAMP_AT. For others both are read. */
#ifdef RTG_PORT_HAS_STAMP_AT
#if RTG_STAMP_BITS == 32
uint32_t rtg_port_stamp_at(uint64_t ns);
#else
uint64_t rtg_port_stamp_at(uint64_t ns);
#endif
#endif

/* Makes a straight-line block of at least `bytes` bytes of plain instructions
 * that ends in a return, in memory never touched as code before. *instructions
 * receives their number. ENOSUP where code cannot be made at run time. */
int rtg_code_make(size_t bytes, void (**block)(void), uint64_t *instructions);
void rtg_code_free(void (*block)(void));

#endif
