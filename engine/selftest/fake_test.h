/*
 * fake_test.h - what the unit tests of the fake port share.
 */
#ifndef RTGAUGE_FAKE_TEST_H
#define RTGAUGE_FAKE_TEST_H

#include "check.h"
#include "fake_time.h"
#include "rtgauge/port.h"

enum { LO = 10, MID = 20, HI = 30, TOP = 40 }; /* levels */

/* The groups of tests, each in its own file. Called in a FIFO thread at TOP. */
void fake_sched_tests(void);
void fake_level_tests(void);
void fake_time_tests(void);
void fake_sem_tests(void);
void fake_mutex_tests(void);
void fake_inherit_tests(void);
void fake_thread_tests(void);
void fake_port_tests(void);
void fake_fault_tests(void);

/* Starts a FIFO thread. */
void start(struct rtg_thread *t, uint32_t level, rtg_entry entry, void *arg);
void start_as(struct rtg_thread *t, enum rtg_policy policy, uint32_t level, rtg_entry entry,
              void *arg);
/* Lets everybody else finish what can be done now: sleeps to 100 us behind the
 * second tick from now, so that the next 800 us have no tick in them. */
void settle(void);
/* Joins them all. */
void join(struct rtg_thread *t, unsigned n);

/* A log of single characters, to state an order: mark("a"), then marks() is "a"
 * and the log is empty again. */
void mark(char c);
const char *marks(void);
/* An entry that marks *(const char *)arg. */
void mark_arg(void *arg);

/* Virtual time, without paying for the reading. */
uint64_t now(void);

/* Runs scene() in a child, where it may end the process: the exit status, or -1
 * when a signal ended it. */
int exit_status_of(void (*scene)(void));

#endif
