/* TMR-P-CYC: threads that wake up periodically by absolute sleeps. Due times keep
 * to t0 + kT whatever happens; what a late wake-up skips is seen by the host as a
 * gap between due times.
 *
 * A single thread asks rtg_next when its room is full; of several, each has a share of
 * the room and empties it by itself. */
#include <stdatomic.h>

#include "common/two_cpus.h"

enum { MOST = 64, LEAD_NS = 10000000, LEAD_EACH_NS = 1000000 };

struct cycler {
    struct rtg_thread thread;
    struct rtg_buffer *part; /* NULL: alone */
    uint32_t samples;
    uint64_t overruns; /* activations skipped */
};

static struct timers {
    struct rtg_run *run;
    uint64_t first, period; /* ns */
    atomic_bool over;
    struct cycler cycler[MOST];
    struct rtg_buffer part[MOST];
} timers;

/* The first due time after `now`, `now` being the answer to `due`. */
static uint64_t next_due(uint64_t *overruns, uint64_t due, uint64_t now)
{
    uint64_t behind = now > due ? (now - due) / timers.period : 0;
    *overruns += behind;
    return due + (behind + 1) * timers.period;
}

/* The same after a pause for draining, which was the engine's own: no overrun. */
static uint64_t due_after_pause(uint64_t due)
{
    uint64_t paused = 0;
    return rtg_os_now() > due ? next_due(&paused, due, rtg_os_now() + timers.period) : due;
}

static void cycle_alone(struct cycler *me)
{
    uint64_t due = timers.first;
    while (rtg_next(timers.run)) {
        if (timers.run->series[0].count == 0)
            due = due_after_pause(due);
        rtg_sleep_until(due);
        uint64_t now = rtg_os_now();
        rtg_record(timers.run, 0, (rtg_stamp_t)due, (rtg_stamp_t)now, (uint16_t)rtg_cpu_now());
        due = next_due(&me->overruns, due, now);
    }
}

/* Its buffer is its own while it runs: neighbours share no line of the cache. */
static void cycle_among_others(struct cycler *me)
{
    struct rtg_buffer own = *me->part;
    uint64_t due = timers.first;
    uint32_t done = 0;
    bool gap = false;
    rtg_show_part(timers.run, 0, &own);
    while (done < me->samples && !atomic_load(&timers.over) && rtg_go_on(timers.run, 0, &own)) {
        if (rtg_make_room(timers.run, 0, &own, gap))
            due = due_after_pause(due);
        uint32_t pauses = rtg_pauses(timers.run);
        rtg_sleep_until(due);
        uint64_t now = rtg_os_now();
        gap = rtg_pauses(timers.run) != pauses || pauses % 2 != 0;
        if (gap) /* another thread emptied its part meanwhile: how late this one was says nothing */
            continue;
        rtg_record_in(&own, (rtg_stamp_t)due, (rtg_stamp_t)now, (uint16_t)rtg_cpu_now());
        due = next_due(&me->overruns, due, now);
        done++;
    }
    rtg_hide_part(timers.run, &own);
    *me->part = own;
}

static void cycle(void *arg)
{
    struct cycler *me = arg;
    struct rtg_thread_state before;
    rtg_watch_begin(timers.run, &before);
    if (me->part == NULL)
        cycle_alone(me);
    else
        cycle_among_others(me);
    rtg_watch_end(timers.run, &before);
}

static struct rtg_thread_spec spec_of(const struct rtg_run *run, uint32_t k, uint32_t n)
{
    uint32_t top = rtg_role_level(RTG_TOP);
    uint32_t lower = rtg_is(run, "priospread", "on") ? k : 0;
    struct rtg_thread_spec spec = {.entry = cycle,
                                   .arg = &timers.cycler[k],
                                   .policy = rtg_is(run, "policy", "rr") ? RTG_RR : RTG_FIFO,
                                   .level = lower < top ? top - lower : 0,
                                   .cpu = nth_cpu(k)};
    if (rtg_is(run, "policy", "deadline")) {
        /* A fifth of each period, and never more than four fifths of a CPU in all.
         * Where to run is the system's to decide. */
        uint32_t each = (n + rtg_cpu_count() - 1) / rtg_cpu_count();
        spec.policy = RTG_DEADLINE;
        spec.cpu = -1;
        spec.period_ns = timers.period;
        spec.runtime_ns = timers.period / 5 * 4 / (each < 4 ? 4 : each);
    }
    return spec;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    uint32_t n = (uint32_t)rtg_number(run, "threads"), made = 0;
    uint32_t each = (rtg_samples(run) + n - 1) / n;
    uint64_t overruns = 0;
    timers = (struct timers){.run = run, .period = rtg_number(run, "interval")};
    timers.first = rtg_os_now() + LEAD_NS + (uint64_t)n * LEAD_EACH_NS;
    if (n > 1)
        rtg_split(run, 0, timers.part, n);
    for (; made < n; made++) {
        struct rtg_thread_spec spec = spec_of(run, made, n);
        timers.cycler[made].part = n > 1 ? &timers.part[made] : NULL;
        timers.cycler[made].samples = each;
        if (!rtg_spawn_as(run, &timers.cycler[made].thread, &spec))
            break;
    }
    atomic_store(&timers.over, made < n);
    for (uint32_t k = 0; k < made; k++) {
        rtg_thread_join(&timers.cycler[k].thread);
        overruns += timers.cycler[k].overruns;
    }
    if (made < n)
        return rtg_unspawned(run);
    if (n > 1)
        rtg_merge(run, 0, timers.part, n);
    rtg_evidence(run, "overruns", (int64_t)overruns, "");
    return RTG_DONE;
}

RTG_TEST(.id = "TMR-P-CYC", .title = "Periodic wake-up",
         .question = "How late does a thread that is due at fixed times wake up?",
         .needs = RTG_NEEDS_REALTIME, .samples = {10000, 60000, 3600000}, .about_ns = 1000000,
         .about_ms = 50,
         .params = {{"threads", RTG_NUMBER, "1", "1..64", "periodic threads, spread over the CPUs"},
                    {"priospread", RTG_CHOICE, "off", "off on",
                     "whether each thread is one level below the one before"},
                    {"policy", RTG_CHOICE, "fifo", "fifo rr deadline", "scheduling policy"},
                    {"interval", RTG_DURATION, "1ms", "50us..10s", "time from due to due"}},
         .series = {{"", "ns", "the time at which the activation was due",
                     "the sleep clock, first thing after the sleep", "each periodic thread", "cpu",
                     RTG_BY_OS, "periodic extremes"}},
         .run = run_test);
