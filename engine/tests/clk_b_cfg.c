/* CLK-B-CFG: how the clocks are set up, found by watching them. */
#include <stdatomic.h>
#include <string.h>

#include "common/clock_steps.h"
#include "common/roles.h"

enum { SLEEP_ZERO, SLEEP_SHORTEST };
enum { SHORTEST_NS = 1 }; /* of all sleeps but that of zero */

/* ---- the tick --------------------------------------------------------------- */

static bool note_tick(struct rtg_run *run, struct os_tick *tick)
{
    const char *how = NULL;
    int changeable = rtg_tick_changeable(&how);
    int error = watch_os_tick(tick, OS_TICK_MOST);
    if (error == RTG_OK) {
        rtg_evidence(run, "tick_ns", (int64_t)tick->period_ns, "ns");
        rtg_evidence(run, "tick_ns_least", (int64_t)tick->least_ns, "ns");
        rtg_evidence(run, "tick_ns_most", (int64_t)tick->most_ns, "ns");
        rtg_evidence(run, "ticks_watched", tick->watched, "");
        rtg_check(run, RTG_REPORT, "tick-period", tick->steady * 10 >= tick->watched * 9,
                  "at least nine of ten ticks come within a tenth of the period");
    } else {
        rtg_unchecked(run, "tick-period",
                      error == RTG_ENOSUP ? "the system shows no tick" : "no ticks were seen");
    }
    if (changeable >= 0)
        rtg_check(run, RTG_REPORT, "tick-changeable", changeable > 0,
                  "the period of the tick can be changed on the running system");
    else
        rtg_unchecked(run, "tick-changeable", how);
    if (how != NULL)
        rtg_evidence_text(run, "tick_changeable_how", how);
    return error == RTG_OK;
}

/* ---- tickless --------------------------------------------------------------- */

/* Of the CPU under test so far; what the port does not count stays 0. */
struct counts {
    int64_t interrupts; /* of the timer; -1: not counted */
    int64_t used;       /* time spent in threads, in units of the system */
};

static void pick(void *to, const char *name, const char *text, int64_t number)
{
    struct counts *counts = to;
    (void)text;
    if (strcmp(name, "timer_interrupts") == 0)
        counts->interrupts = number;
    else if (strcmp(name, "user_ticks") == 0 || strcmp(name, "nice_ticks") == 0 ||
             strcmp(name, "system_ticks") == 0)
        counts->used += number;
}

static struct counts count(void)
{
    struct counts counts = {.interrupts = -1};
    rtg_port_counters(pick, &counts);
    return counts;
}

/* What came during the quietest of several sleeps: others may use the CPU too. */
static struct counts count_idle(uint64_t length, int sleeps)
{
    struct counts least = {.interrupts = INT64_MAX, .used = INT64_MAX};
    for (int i = 0; i < sleeps; i++) {
        struct counts from = count();
        rtg_sleep_for(length);
        struct counts to = count();
        struct counts seen = {to.interrupts - from.interrupts, to.used - from.used};
        if (seen.interrupts < least.interrupts)
            least = seen;
    }
    return least;
}

static void note_tickless(struct rtg_run *run, const struct os_tick *tick)
{
    enum { TICKS = 25, SLEEPS = 5 };
    uint64_t length = tick->period_ns * TICKS;
    struct counts from = count();
    if (from.interrupts < 0) {
        rtg_unchecked(run, "tickless", "the system does not count the interrupts of its timer");
        return;
    }
    rtg_spin(length);
    int64_t busy = count().interrupts - from.interrupts;
    struct counts idle = count_idle(length, SLEEPS);
    rtg_evidence(run, "ticks_expected", TICKS, "");
    rtg_evidence(run, "timer_interrupts_busy", busy, "");
    rtg_evidence(run, "timer_interrupts_idle", idle.interrupts, "");
    rtg_check(run, RTG_REPORT, "tick-while-busy", busy * 2 >= TICKS,
              "the timer interrupts a computing thread at least at half the rate of the tick");
    if (idle.interrupts * 2 > TICKS * 3 || (idle.interrupts * 2 >= TICKS && idle.used > 1))
        rtg_unchecked(run, "tickless", "other threads or timers kept the CPU from being idle");
    else
        rtg_check(run, RTG_REPORT, "tickless", idle.interrupts * 2 < TICKS,
                  "the timer interrupts an idle CPU at less than half the rate of the tick");
}

/* ---- sleeping --------------------------------------------------------------- */

static void note_run(void *arg)
{
    atomic_store((atomic_bool *)arg, true);
}

/* In how many of `tries` a ready thread at `level` got the CPU while the caller, at
 * MID, slept for `ns`; with ns = UINT64_MAX the caller does not sleep at all. */
static uint32_t gave_way(struct rtg_run *run, uint32_t level, uint64_t ns, uint32_t tries)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tries; i++) {
        struct rtg_thread partner;
        atomic_bool ran = false;
        if (!rtg_spawn(run, &partner, level, note_run, &ran)) {
            rtg_broken(run, "the partner could not be created");
            return 0;
        }
        if (ns != UINT64_MAX)
            rtg_sleep_for(ns);
        count += atomic_load(&ran);
        rtg_thread_join(&partner);
    }
    return count;
}

static void note_giving_way(struct rtg_run *run, uint64_t long_ns)
{
    enum { TRIES = 10 };
    const char *why = "there are too few priority levels";
    if (rtg_realtime_allowed(&why) != RTG_OK || !roles_apart()) {
        rtg_unchecked(run, "sleep-zero-yields", why);
        return;
    }
    uint32_t equal = rtg_role_level(RTG_MID), lower = rtg_role_level(RTG_LO);
    rtg_self_level(run, equal);
    uint32_t without = gave_way(run, equal, UINT64_MAX, TRIES);
    uint32_t zero_equal = gave_way(run, equal, 0, TRIES);
    uint32_t zero_lower = gave_way(run, lower, 0, TRIES);
    uint32_t shortest_lower = gave_way(run, lower, SHORTEST_NS, TRIES);
    uint32_t long_lower = gave_way(run, lower, long_ns, TRIES);
    rtg_evidence(run, "sleep_zero_equal_ran", zero_equal, "");
    rtg_evidence(run, "sleep_zero_lower_ran", zero_lower, "");
    rtg_evidence(run, "sleep_shortest_lower_ran", shortest_lower, "");
    rtg_evidence(run, "sleep_long_lower_ran", long_lower, "");
    rtg_evidence(run, "sleep_tries", TRIES, "");
    /* Others may take the CPU for the whole of a sleep, but nobody else's doing lets
     * a lower thread run while the caller could: one such try shows that it sleeps. */
    rtg_check(run, RTG_REPORT, "sleep-zero-yields", zero_equal * 2 > TRIES,
              "a sleep of zero lets a ready thread of the same level run, in most tries");
    rtg_check(run, RTG_REPORT, "sleep-zero-blocks", zero_lower * 2 > TRIES,
              "a sleep of zero lets a ready thread of a lower level run, in most tries");
    rtg_check(run, RTG_REPORT, "sleep-shortest-blocks", shortest_lower * 2 > TRIES,
              "the shortest sleep lets a ready thread of a lower level run, in most tries");
    rtg_check(run, RTG_PROPERTY, "sleep-gives-way", long_lower != 0,
              "a sleep of one and a half ticks lets a ready thread of a lower level run");
    rtg_check(run, RTG_CONTROL, "runs-without-sleep", without != 0,
              "a ready thread of the same level runs although nobody sleeps");
}

/* Whether every one of ten sleeps of `asked_ns` lasted at least `least_ns`;
 * *longest_ns receives the longest. */
static bool lasts(uint64_t asked_ns, uint64_t least_ns, uint64_t *longest_ns)
{
    bool all = true;
    *longest_ns = 0;
    for (int i = 0; i < 10; i++) {
        uint64_t begin = rtg_os_now();
        rtg_sleep_for(asked_ns);
        uint64_t took = rtg_os_now() - begin;
        all = all && took >= least_ns;
        *longest_ns = took > *longest_ns ? took : *longest_ns;
    }
    return all;
}

static void check_sleeping(struct rtg_run *run, const struct os_tick *tick, uint64_t long_ns)
{
    uint64_t ignored, shortest;
    bool whole = lasts(long_ns, long_ns, &ignored);
    bool zero = lasts(0, long_ns, &ignored);
    lasts(SHORTEST_NS, SHORTEST_NS, &shortest);
    rtg_check(run, RTG_PROPERTY, "shortest-sleep", whole,
              "a sleep of one and a half ticks never ends before its time");
    rtg_check(run, RTG_CONTROL, "sleep-zero-lasts", zero,
              "a sleep of zero lasts as long as one of one and a half ticks");
    if (tick->period_ns != 0)
        rtg_check(run, RTG_REPORT, "sleep-finer-than-tick", shortest * 2 < tick->period_ns,
                  "the shortest sleep always ends within half a tick");
}

static void measure_sleeps(struct rtg_run *run)
{
    while (rtg_next(run)) {
        rtg_stamp_t start = rtg_stamp_start();
        rtg_sleep_for(0);
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, SLEEP_ZERO, start, stop, 0);
        rtg_dirty(run);
        start = rtg_stamp_start();
        rtg_sleep_for(SHORTEST_NS);
        stop = rtg_stamp_stop();
        rtg_record(run, SLEEP_SHORTEST, start, stop, 0);
    }
}

static enum rtg_outcome run(struct rtg_run *run)
{
    struct os_tick tick = {.period_ns = 0};
    struct rtg_thread_state state;
    if (rtg_thread_query(NULL, &state) == RTG_OK)
        rtg_evidence_text(run, "policy", state.policy == RTG_NORMAL ? "normal" : "real-time");
    if (note_tick(run, &tick))
        note_tickless(run, &tick);
    else
        rtg_unchecked(run, "tickless", "no tick was seen to compare with");
    note_resolutions(run, &tick);
    uint64_t long_ns = tick.period_ns != 0 ? tick.period_ns + tick.period_ns / 2 : 2000000;
    check_sleeping(run, &tick, long_ns);
    measure_sleeps(run);
    note_giving_way(run, long_ns);
    return RTG_DONE;
}

RTG_TEST(.id = "CLK-B-CFG", .title = "clock configuration",
         .question = "What are the tick, the resolution of the clocks and the shortest sleep of "
                     "this system really?",
         .needs = RTG_TURN_BY_TURN, .samples = {200, 1000, 10000}, .about_ns = 200000,
         .about_ms = 1500,
         .series = {{"sleep-zero", "ns", "before a sleep of zero", "after it",
                     "the only thread, at the level TOP where levels are allowed", "", RTG_BY_STAMP,
                     ""},
                    {"sleep-shortest", "ns", "before a sleep of 1 ns", "after it",
                     "the only thread, at the level TOP where levels are allowed", "", RTG_BY_STAMP,
                     ""}},
         .run = run);
