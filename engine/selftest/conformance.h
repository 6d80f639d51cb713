/*
 * conformance.h - does a port keep the contract of port.h? Each operation has a check
 * at least, written against port.h only.
 *
 * What a port answers with RTG_ENOSUP is named as skipped. Most checks need four
 * real-time levels and one CPU; they take about a second of real time.
 */
#ifndef RTGAUGE_CONFORMANCE_H
#define RTGAUGE_CONFORMANCE_H

#include "check.h"
#include "rtgauge/port.h"

struct conf_check {
    const char *operations; /* that it checks, by their names in port.h, separated by spaces */
    void (*run)(void);
    enum { CONF_LEVELS, CONF_ANYWHERE } where;
};

/* The groups, each in its own file: the checks, ended by a zero entry. They are called
 * in a FIFO thread at level conf_level(3) on conf_cpu(). Where a port has fewer than four
 * levels, those that can do without are called in the first thread. */
extern const struct conf_check conf_process_checks[];
extern const struct conf_check conf_thread_checks[];
extern const struct conf_check conf_level_checks[];
extern const struct conf_check conf_control_checks[];
extern const struct conf_check conf_children_checks[];
extern const struct conf_check conf_sem_checks[];
extern const struct conf_check conf_mutex_checks[];
extern const struct conf_check conf_message_checks[];
extern const struct conf_check conf_signal_checks[];
extern const struct conf_check conf_offer_checks[];
extern const struct conf_check conf_time_checks[];
extern const struct conf_check conf_memory_checks[];
extern const struct conf_check conf_file_checks[];
extern const struct conf_check conf_event_checks[];
extern const struct conf_check conf_service_checks[];

/* Runs them all; after rtg_port_init. `realtime` is what rtg_realtime_allowed said. */
void conformance_run(int32_t cpu, int realtime);

/* True, and `what` is named as skipped, when `result` is RTG_ENOSUP. */
bool conf_unsupported(const char *what, int result);

/* What cannot be checked within the one process: how it ends, reads and writes, and the
 * limits that it is given. Runs `mode` (see conformance_program.sh) and returns its exit
 * status, -1 for an unknown mode. */
int conformance_program(const char *mode);

int32_t conf_cpu(void);
/* Four levels, 0 (lowest) to 3, that of the checks themselves. */
uint32_t conf_level(unsigned role);

/* Starts a thread on the CPU of the checks; under FIFO, or where an image knows round robin only,
 * under that. conf_has says whether the port has a policy. */
bool conf_has(enum rtg_policy policy);
enum rtg_policy conf_policy(void); /* what stands for FIFO */
bool conf_start(struct rtg_thread *t, unsigned role, rtg_entry entry, void *arg);
bool conf_start_as(struct rtg_thread *t, enum rtg_policy policy, unsigned role, rtg_entry entry,
                   void *arg);
void conf_join(struct rtg_thread *t, unsigned n);

/* Sleeps for some ms, so that lower threads run as far as they can. */
void conf_let_others_run(void);
/* Computes for about `ns` without giving up the CPU. */
void conf_busy(uint64_t ns);

/* A log of single characters, to state an order; conf_marks empties it. */
void conf_mark(char c);
const char *conf_marks(void);
void conf_mark_arg(void *arg); /* an entry: marks *(const char *)arg */

#endif
