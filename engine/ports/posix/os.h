/* What the POSIX port needs beyond POSIX. linux.c and the other linux_*.c have all of it; os_none.c
 * is for every other system, where it answers "not supported" or does without. */
#ifndef RTG_POSIX_OS_H
#define RTG_POSIX_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rtgauge/port.h"

/* Ends this process when its parent ends. */
void os_die_with_parent(void);

/* Copies of this process do without the memory: else its pages would be shared
 * after a fork, and each fault once more when it is written. Page aligned. */
void os_keep_from_children(void *memory, size_t bytes);

/* Zero-filled memory that copies of this process share; NULL when there is none. */
void *os_shared_map(size_t bytes);

/* The CPUs that this process might use when it began. */
uint32_t os_cpu_count(void);
uint32_t os_cpu_at(uint32_t index);
/* Pins the caller to one CPU, or to all of the process's when cpu is -1. */
int os_pin(int32_t cpu);

/* The kernel's number of the calling thread, 0 where there is none. */
long os_thread_id(void);
/* What the kernel says of thread `id`, 0 meaning the caller. */
int os_thread_query(long id, struct rtg_thread_state *state);
/* Puts the caller under SCHED_DEADLINE. */
int os_deadline(uint64_t runtime_ns, uint64_t period_ns);

/* A queued signal with a value to one thread. */
int os_signal_thread(long id, int number, uint32_t value);

/* A periodic timer that is a file: *file receives its descriptor. */
int os_timer_create(int *file, uint64_t first_ns, uint64_t period_ns);
int os_timer_wait(int file, uint64_t *expiries);

/* Facts and counters beyond those of POSIX. */
void os_facts(rtg_fact_fn fact, void *to);
void os_counters(int32_t cpu, rtg_fact_fn fact, void *to);
uint64_t os_cache_bytes(int32_t cpu, uint64_t *private_);
uint32_t os_virtual_ns(void); /* as rtg_virtual_ns */

/* Clocks beyond CLOCK_MONOTONIC and CLOCK_REALTIME, index 0 up. */
int os_clock(uint32_t index, struct rtg_os_clock *clock);

/* What the system says of the folder that is open as `folder`. */
int os_files_where(int folder, struct rtg_files *files);
int os_file_cached(int file, uint64_t at, uint32_t bytes, bool *cached, const char **how);

/* Traits that only the system's documentation tells; ENOSUP where it does not. */
int os_trait(enum rtg_trait trait, struct rtg_trait_value *value);

#endif
