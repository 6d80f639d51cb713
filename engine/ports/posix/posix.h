/* What the files of the POSIX port share. */
#ifndef RTG_POSIX_H
#define RTG_POSIX_H

#include <stdint.h>
#include <time.h>

#include "os.h"
#include "rtgauge/port.h"

/* The limits given to rtg_port_init. */
extern struct rtg_limits posix_limits;

/* The RTG_E... that fits an errno value. */
int posix_error(int error);

struct timespec posix_timespec(uint64_t ns);
/* CLOCK_REALTIME at the moment when CLOCK_MONOTONIC will show due_ns; what
 * sem_timedwait and pthread_mutex_timedlock want. */
struct timespec posix_realtime_at(uint64_t due_ns);
uint64_t posix_read_clock(clockid_t id);

/* Highest SCHED_FIFO priority that this process may use, 0 for none; found by
 * trying, once. */
int posix_highest_priority(void);
int posix_priority_of(uint32_t level);
int posix_level_of(int priority);

/* os_pin, remembered: threads made by the caller need not be moved there. */
int posix_pin(int32_t cpu);

/* Puts the caller, the only thread of a new process, under the properties of `t` and `spec`. */
int posix_become(struct rtg_thread *t, const struct rtg_thread_spec *spec);

/* "/rtgauge.<pid>.<count>", a name that nobody else uses, into 64 bytes. */
void posix_unique_name(char *name);

/* Starts the thread that watches over the others. It alone takes SIGTERM, since
 * any other may be kept from running by a test. */
int posix_watchdog_start(void);

/* The signal of rtg_signal_send. */
#define POSIX_QUEUED_SIGNAL (SIGRTMAX - 1)

/* Blocks SIGTERM, queued signals and those of timers in the caller and in all threads made
 * later. */
void posix_signals_block(void);

#endif
