/* The table of faults, and the choice of one. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"

enum fake_fault fake_fault;
uint64_t fake_k;

static bool list_asked;
static char chosen[64]; /* "name" or "name:k" */

/* `k` is 0 where the fault takes no number. */
static const struct {
    const char *name, *what;
    uint32_t k;
} faults[FAKE_FAULTS] = {
    [FAULT_CREATE_LOWER_RUNS] = {"create-lower-runs",
                                 "a created thread of lower priority runs at once", 0},
    [FAULT_CREATE_TO_HEAD] = {"create-to-head",
                              "a created thread goes to the head of its ready queue", 0},
    [FAULT_CREATE_HIGHER_WAITS] = {"create-higher-waits",
                                   "a created thread of higher priority does not run at once", 0},
    [FAULT_POLICY_REPLACED] = {"policy-replaced", "round robin is silently replaced by FIFO", 0},
    [FAULT_RUNS_ELSEWHERE] = {"runs-elsewhere",
                              "a created thread runs on another CPU than it was given", 0},
    [FAULT_YIELD_NOTHING] = {"yield-nothing", "a yield does nothing", 0},
    [FAULT_YIELD_TO_LOWER] = {"yield-to-lower", "a yield without an equal lets a lower thread run",
                              0},
    [FAULT_SLICE_FIRST_LONG] = {"slice-first-long",
                                "the first round-robin slice is k times as long", 10},
    [FAULT_SLICES_UNFAIR] = {"slices-unfair", "every second thread gets slices k times as long", 2},
    [FAULT_SLICES_NEVER_END] = {"slices-never-end", "a round-robin slice never ends", 0},
    [FAULT_LEVEL_CALL_NOTHING] = {"level-call-nothing",
                                  "the call that sets a priority succeeds and does nothing", 0},
    [FAULT_LOWERED_OTHER_END] = {"lowered-other-end",
                                 "a lowered thread goes to the wrong end of its ready queue", 0},
    [FAULT_SEM_BLOCKS_AT_ONE] = {"sem-blocks-at-one", "acquire blocks when the value is one", 0},
    [FAULT_SEM_NO_RESCHEDULE] = {"sem-no-reschedule", "release does not reschedule", 0},
    [FAULT_SEM_LOSES_RELEASE] = {"sem-loses-release", "every k-th release without a waiter is lost",
                                 3},
    [FAULT_SEM_NO_LIMIT] = {"sem-no-limit", "a release beyond the largest count succeeds", 0},
    [FAULT_SEM_VALUE_WRONG] = {"sem-value-wrong", "the value told is k too large", 1},
    [FAULT_SEM_ENTERS_KERNEL] = {"sem-enters-kernel",
                                 "acquire and release of a free semaphore enter the kernel", 0},
    [FAULT_WAITERS_FIFO] = {"waiters-fifo",
                            "waiters are released in the order of arrival, whatever their priority",
                            0},
    [FAULT_WAITERS_EQUAL_LIFO] = {"waiters-equal-lifo",
                                  "waiters of equal priority are released last come, first served",
                                  0},
    [FAULT_WAITERS_COST] = {"waiters-cost", "queueing takes k ns for each thread that waits", 20},
    [FAULT_MUTEX_NO_INHERITANCE] = {"mutex-no-inheritance", "the mutex has no inheritance", 0},
    [FAULT_MUTEX_NO_CHAIN] = {"mutex-no-chain", "inheritance does not follow a chain", 0},
    [FAULT_MUTEX_NOT_RESTORED] = {"mutex-not-restored",
                                  "the priority is not restored when the mutex is released", 0},
    [FAULT_MUTEX_KEEPS_BOOST] = {"mutex-keeps-boost",
                                 "the priority is not restored when a waiter times out", 0},
    [FAULT_MUTEX_NO_CEILING] = {"mutex-no-ceiling", "the ceiling of a mutex is not applied", 0},
    [FAULT_MUTEX_NOT_EXCLUSIVE] = {"mutex-not-exclusive", "a held mutex can be locked again", 0},
    [FAULT_MUTEX_ENTERS_KERNEL] = {"mutex-enters-kernel",
                                   "lock and unlock of a free mutex enter the kernel", 0},
    [FAULT_TIMEOUT_EARLY] = {"timeout-early", "a time-out of a semaphore or mutex comes k us early",
                             15000},
    [FAULT_MESSAGES_FIFO] = {"messages-fifo", "messages leave in the order in which they came", 0},
    [FAULT_QUEUE_FULL_LOSES] = {"queue-full-loses",
                                "a message sent to a full queue is lost, and the call succeeds", 0},
    [FAULT_QUEUE_EMPTY_RETURNS] = {"queue-empty-returns",
                                   "a receive from an empty queue returns with nothing", 0},
    [FAULT_HEAP_GROWS] = {"heap-grows", "an allocation takes k ns for each block that is out", 5},
    [FAULT_HEAP_ENTERS_KERNEL] = {"heap-enters-kernel", "every allocation enters the kernel", 0},
    [FAULT_FLUSH_NOTHING] = {"flush-nothing",
                             "a flush of a file returns at once, and writes nothing", 0},
    [FAULT_FORGET_NOTHING] = {"forget-nothing",
                              "the call that empties the cache of a file does nothing", 0},
    [FAULT_WRITE_PEAKS] = {"write-peaks", "every k-th write to the medium takes ten times as long",
                           32},
    [FAULT_CLOCK_COARSE] = {"clock-coarse", "the stamp clock moves in steps of k ns", 4990},
    [FAULT_CLOCK_STEPS_BACK] = {"clock-steps-back",
                                "the stamp clock steps back once by k us, after 150 ms", 100},
    [FAULT_CLOCK_WRAPS] = {"clock-wraps",
                           "the stamp clock wraps at 32 bits, after 150 ms, and tells 64", 0},
    [FAULT_CLOCK_DIFFERS] = {"clock-differs", "the stamp clock of a second CPU is k ns ahead",
                             50000},
    [FAULT_OS_CLOCK_COARSE] = {"os-clock-coarse",
                               "the sleep clock moves in steps of k us and tells 1 ns", 10},
    [FAULT_KERNEL_BLOCKS] = {"kernel-blocks",
                             "every 100th read of the time of day is held up by k us", 30},
    [FAULT_TICK_LOST] = {"tick-lost", "every k-th tick is lost", 4},
    [FAULT_TICK_TWICE] = {"tick-twice", "every k-th tick is handled twice", 2},
    [FAULT_TICK_TAKES] = {"tick-takes", "the tick takes k us", 20},
    [FAULT_TIMER_EARLY] = {"timer-early", "sleeps and timers expire k us early", 100},
    [FAULT_TIMER_LATE] = {"timer-late", "sleeps and timers expire k us late", 100},
    [FAULT_TIMER_TWICE] = {"timer-twice", "a timer expires twice each time", 0},
    [FAULT_TIMER_NEVER] = {"timer-never", "a timer never expires", 0},
    [FAULT_SLEEP_EARLY] = {"sleep-early", "sleeps end k us early", 100},
    [FAULT_INTERRUPT_LOST] = {"interrupt-lost",
                              "every k-th interrupt that a test asked for never comes", 4},
    [FAULT_HANDLER_TWICE] = {"handler-twice",
                             "every k-th interrupt that a test asked for is handled twice", 3},
    [FAULT_LEAK] = {"leak", "every k-th object that is deleted leaks", 10},
    [FAULT_THREAD_KEEPS_MEMORY] = {"thread-keeps-memory",
                                   "the memory of a deleted thread does not come back", 0},
    [FAULT_SWITCH_LATE] = {"switch-late", "every 97th switch is delayed by k us", 50},
    [FAULT_SAMPLES_OVERFLOW] = {"samples-overflow", "there are k KB for samples", 4},
    [FAULT_DIES] = {"dies", "the process is killed after k ms", 150},
    [FAULT_TRACE_FLIPS] = {"trace-flips", "one bit of every k-th frame of the trace is flipped", 5},
    [FAULT_TRACE_LOSES] = {"trace-loses", "every k-th frame of the trace is lost", 5},
};

/* "name" or "name:k" with a k from 1 up, where the fault takes one. */
static bool choose(const char *text, enum fake_fault fault)
{
    size_t length = strlen(faults[fault].name);
    if (strncmp(text, faults[fault].name, length) != 0)
        return false;
    if (text[length] != 0 && (text[length] != ':' || faults[fault].k == 0))
        return false;
    unsigned long k = faults[fault].k;
    if (text[length] == ':') {
        char *end;
        errno = 0;
        k = strtoul(text + length + 1, &end, 10);
        if (text[length + 1] < '0' || text[length + 1] > '9' || *end != 0 || errno != 0 || k == 0 ||
            k > UINT32_MAX)
            return false;
    }
    fake_fault = fault;
    fake_k = k;
    return true;
}

bool fake_faults_init(void)
{
    const char *text = getenv("RTGAUGE_FAULT");
    if (text == NULL || *text == 0)
        return true;
    list_asked = strcmp(text, "list") == 0;
    for (int fault = FAKE_CORRECT + 1; !list_asked && fault < FAKE_FAULTS; fault++) {
        if (!choose(text, (enum fake_fault)fault))
            continue;
        if (faults[fault].k == 0)
            snprintf(chosen, sizeof chosen, "%s", faults[fault].name);
        else
            snprintf(chosen, sizeof chosen, "%s:%llu", faults[fault].name,
                     (unsigned long long)fake_k);
        return true;
    }
    return list_asked;
}

void fake_faults_facts(void (*fact)(void *to, const char *name, const char *text, int64_t number),
                       void *to)
{
    if (fake_fault != FAKE_CORRECT) {
        fact(to, "fault", chosen, 0);
        fact(to, "fault_what", faults[fake_fault].what, 0);
    }
    for (int fault = FAKE_CORRECT + 1; list_asked && fault < FAKE_FAULTS; fault++)
        fact(to, faults[fault].name, faults[fault].what, 0);
}

bool fake_every_kth(enum fake_fault fault)
{
    static uint64_t calls;
    return fake_has(fault) && ++calls % fake_k == 0;
}
