/*
 * faults.h - what can be wrong with the fake system, one thing at a time.
 *
 * The environment variable RTGAUGE_FAULT names the fault when the process
 * starts, as "name" or "name:k". Without it the system is correct. With "list"
 * it is correct too, and its facts hold every fault with what it does.
 *
 * Each fault is one `if` in the function that holds the rule which it breaks.
 */
#ifndef RTGAUGE_FAKE_FAULTS_H
#define RTGAUGE_FAKE_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

enum fake_fault {
    FAKE_CORRECT,
    FAULT_CREATE_LOWER_RUNS,
    FAULT_CREATE_TO_HEAD,
    FAULT_CREATE_HIGHER_WAITS,
    FAULT_POLICY_REPLACED,
    FAULT_RUNS_ELSEWHERE,
    FAULT_YIELD_NOTHING,
    FAULT_YIELD_TO_LOWER,
    FAULT_SLICE_FIRST_LONG,
    FAULT_SLICES_UNFAIR,
    FAULT_SLICES_NEVER_END,
    FAULT_LEVEL_CALL_NOTHING,
    FAULT_LOWERED_OTHER_END,
    FAULT_SEM_BLOCKS_AT_ONE,
    FAULT_SEM_NO_RESCHEDULE,
    FAULT_SEM_LOSES_RELEASE,
    FAULT_SEM_NO_LIMIT,
    FAULT_SEM_VALUE_WRONG,
    FAULT_SEM_ENTERS_KERNEL,
    FAULT_WAITERS_FIFO,
    FAULT_WAITERS_EQUAL_LIFO,
    FAULT_WAITERS_COST,
    FAULT_MUTEX_NO_INHERITANCE,
    FAULT_MUTEX_NO_CHAIN,
    FAULT_MUTEX_NOT_RESTORED,
    FAULT_MUTEX_KEEPS_BOOST,
    FAULT_MUTEX_NO_CEILING,
    FAULT_MUTEX_NOT_EXCLUSIVE,
    FAULT_MUTEX_ENTERS_KERNEL,
    FAULT_TIMEOUT_EARLY,
    FAULT_MESSAGES_FIFO,
    FAULT_QUEUE_FULL_LOSES,
    FAULT_QUEUE_EMPTY_RETURNS,
    FAULT_HEAP_GROWS,
    FAULT_HEAP_ENTERS_KERNEL,
    FAULT_FLUSH_NOTHING,
    FAULT_FORGET_NOTHING,
    FAULT_WRITE_PEAKS,
    FAULT_CLOCK_COARSE,
    FAULT_CLOCK_STEPS_BACK,
    FAULT_CLOCK_WRAPS,
    FAULT_CLOCK_DIFFERS,
    FAULT_OS_CLOCK_COARSE,
    FAULT_KERNEL_BLOCKS,
    FAULT_TICK_LOST,
    FAULT_TICK_TWICE,
    FAULT_TICK_TAKES,
    FAULT_TIMER_EARLY,
    FAULT_TIMER_LATE,
    FAULT_TIMER_TWICE,
    FAULT_TIMER_NEVER,
    FAULT_SLEEP_EARLY,
    FAULT_INTERRUPT_LOST,
    FAULT_HANDLER_TWICE,
    FAULT_LEAK,
    FAULT_THREAD_KEEPS_MEMORY,
    FAULT_SWITCH_LATE,
    FAULT_SAMPLES_OVERFLOW,
    FAULT_DIES,
    FAULT_TRACE_FLIPS,
    FAULT_TRACE_LOSES,
    FAKE_FAULTS
};

extern enum fake_fault fake_fault; /* the one that is switched on */
extern uint64_t fake_k;            /* its number */

static inline bool fake_has(enum fake_fault fault)
{
    return fake_fault == fault;
}

/* Reads RTGAUGE_FAULT; false when it names no fault. */
bool fake_faults_init(void);

/* Reports the fault, or all of them when they were asked for. */
void fake_faults_facts(void (*fact)(void *to, const char *name, const char *text, int64_t number),
                       void *to);

/* Whether `fault` is on and this is one of every k-th calls of its rule. */
bool fake_every_kth(enum fake_fault fault);

#endif
