/* SCD-S-UTL: sets of periodic tasks by chance, under fixed levels by their periods. Each set
 * is released at once, the worst case for every task, and watched for two of the longest
 * periods; beside it stands what response-time analysis says of the work alone. */
#include <string.h>

#include "common/task_sets.h"
#include "rtgauge/test.h"

enum {
    WINDOW_MS = 40,
    LEAD_NS = 3000000, /* from the creation of the tasks to their release */
    REST_NS = 2000000, /* between sets: others get the CPU */
    JOBS = 20,         /* of one task in a window: its shortest period is 2 ms */
    LOWEST = 30,
    STEP = 10,
    LOADS = 8, /* 30, 40, ... 100 % */
};
enum { RESPONSE, MISSED, WORST, BOUND };

static struct actor {
    struct task task;
    uint32_t rounds, jobs;
    uint64_t release_ns; /* of the first job */
    uint64_t ended_ns[JOBS];
    struct rtg_thread thread;
} actor[MOST_TASKS];

/* What became of the sets of one load. */
static struct tally {
    uint32_t with_misses, not_schedulable;
} tally[LOADS];

static struct totals {
    uint32_t sets, jobs, missed, missed_against_bound, met_against_bound;
} totals;

static void act(void *arg)
{
    struct actor *me = arg;
    for (uint32_t k = 0; k < me->jobs; k++) {
        rtg_sleep_until(me->release_ns + k * me->task.period_ns);
        rtg_work(me->rounds);
        me->ended_ns[k] = rtg_os_now();
    }
}

/* The first task has the highest level. */
static bool start_all(struct rtg_run *run, uint32_t n, uint64_t release_ns, uint64_t rounds_per_ms,
                      uint32_t *started)
{
    for (*started = 0; *started < n; (*started)++) {
        struct actor *a = &actor[*started];
        a->rounds = (uint32_t)(a->task.work_ns * rounds_per_ms / 1000000u);
        a->jobs = (uint32_t)(WINDOW_MS * 1000000ull / a->task.period_ns);
        a->release_ns = release_ns;
        if (!rtg_spawn(run, &a->thread, rtg_spread_level(n - 1 - *started, n), act, a))
            return false;
    }
    return true;
}

/* Jobs that missed their deadline; *worst receives the largest response against it. */
static uint32_t read_responses(struct rtg_run *run, uint32_t n, uint32_t load, uint64_t *worst)
{
    uint32_t missed = 0;
    *worst = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct actor *a = &actor[i];
        for (uint32_t k = 0; k < a->jobs; k++) {
            uint64_t due = a->release_ns + k * a->task.period_ns;
            uint64_t share =
                ((a->ended_ns[k] - due) * PERMILLE + a->task.period_ns - 1) / a->task.period_ns;
            rtg_record(run, RESPONSE, (rtg_stamp_t)due, (rtg_stamp_t)a->ended_ns[k],
                       (uint16_t)load);
            missed += share > PERMILLE;
            *worst = share > *worst ? share : *worst;
        }
        totals.jobs += a->jobs;
    }
    return missed;
}

static void judge_set(struct rtg_run *run, uint32_t n, uint32_t number)
{
    struct task task[MOST_TASKS];
    struct tally *own = &tally[number % LOADS];
    uint32_t load = LOWEST + number % LOADS * STEP;
    uint64_t worst;
    for (uint32_t i = 0; i < n; i++)
        task[i] = actor[i].task;
    uint64_t bound = bound_of(task, n);
    uint32_t missed = read_responses(run, n, load, &worst);
    rtg_stamp_t when = rtg_stamp_stop();
    rtg_record(run, MISSED, when, (rtg_stamp_t)missed, (uint16_t)load);
    rtg_record(run, WORST, when, (rtg_stamp_t)worst, (uint16_t)load);
    rtg_record(run, BOUND, when, (rtg_stamp_t)bound, (uint16_t)load);
    own->with_misses += missed > 0;
    own->not_schedulable += bound > PERMILLE;
    totals.sets++;
    totals.missed += missed;
    totals.missed_against_bound += missed > 0 && bound <= PERMILLE;
    totals.met_against_bound += missed == 0 && bound > PERMILLE;
}

static bool play_set(struct rtg_run *run, uint32_t n, uint32_t number, uint64_t rounds_per_ms)
{
    struct task task[MOST_TASKS];
    uint32_t started;
    uint64_t seed = rtg_number(run, "seed") * 1000003u + number;
    make_set(task, n, LOWEST + number % LOADS * STEP, seed);
    for (uint32_t i = 0; i < n; i++)
        actor[i].task = task[i];
    bool whole = start_all(run, n, rtg_os_now() + LEAD_NS, rounds_per_ms, &started);
    for (uint32_t i = 0; i < started; i++)
        rtg_thread_join(&actor[i].thread);
    if (whole)
        judge_set(run, n, number);
    rtg_sleep_for(REST_NS);
    return whole;
}

/* ---- what the sets say together -------------------------------------------- */

static uint32_t misses_in(const struct tally *t)
{
    return t->with_misses;
}

static uint32_t unschedulable_in(const struct tally *t)
{
    return t->not_schedulable;
}

/* Misses begin above the highest load up to which no set has one, 0 where the lowest has,
 * and at the lowest with one, 0 where none has. */
static void tell_begin(struct rtg_run *run, uint32_t (*count)(const struct tally *),
                       const char *above, const char *at)
{
    uint32_t clean = 0;
    while (clean < LOADS && count(&tally[clean]) == 0)
        clean++;
    rtg_evidence(run, above, clean == 0 ? 0 : LOWEST + (int64_t)(clean - 1) * STEP, "%");
    rtg_evidence(run, at, clean == LOADS ? 0 : LOWEST + (int64_t)clean * STEP, "%");
}

static void tell_loads(struct rtg_run *run)
{
    static const char *const missing[LOADS] = {"missing_at_30", "missing_at_40", "missing_at_50",
                                               "missing_at_60", "missing_at_70", "missing_at_80",
                                               "missing_at_90", "missing_at_100"};
    static const char *const analysed[LOADS] = {
        "bound_missed_at_30", "bound_missed_at_40", "bound_missed_at_50", "bound_missed_at_60",
        "bound_missed_at_70", "bound_missed_at_80", "bound_missed_at_90", "bound_missed_at_100"};
    for (uint32_t i = 0; i < LOADS; i++) {
        rtg_evidence(run, missing[i], tally[i].with_misses, "");
        rtg_evidence(run, analysed[i], tally[i].not_schedulable, "");
    }
}

static void tell(struct rtg_run *run, uint64_t rounds_per_ms)
{
    rtg_evidence(run, "rounds_per_ms", (int64_t)rounds_per_ms, "");
    rtg_evidence(run, "sets", totals.sets, "");
    rtg_evidence(run, "jobs", totals.jobs, "");
    rtg_evidence(run, "jobs_missed", totals.missed, "");
    tell_loads(run);
    tell_begin(run, misses_in, "misses_begin_above", "misses_begin_at");
    tell_begin(run, unschedulable_in, "bound_begins_above", "bound_begins_at");
    rtg_evidence(run, "missed_though_schedulable", totals.missed_against_bound, "");
    rtg_evidence(run, "met_though_not_schedulable", totals.met_against_bound, "");
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    uint32_t n = (uint32_t)rtg_number(run, "tasks"), number = 0;
    bool whole = true;
    memset(tally, 0, sizeof tally);
    totals = (struct totals){0};
    if (rtg_level_count() <= n)
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          "there are, or the user allows, fewer levels than tasks");
    uint64_t rounds_per_ms = rtg_work_rounds(1000000);
    rtg_per_iteration(run, n * JOBS);
    while (whole && rtg_next(run)) {
        rtg_breathe(run);
        whole = play_set(run, n, number++, rounds_per_ms);
    }
    tell(run, rounds_per_ms);
    return whole ? RTG_DONE : rtg_unspawned(run);
}

RTG_TEST(.id = "SCD-S-UTL", .title = "Schedulability",
         .question =
             "From which load on do periodic tasks under fixed levels miss deadlines, and what "
             "does analysis say?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {4800, 48000, 480000},
         .about_ns = 450000, .about_ms = 20,
         .params = {{"tasks", RTG_NUMBER, "5", "2..12", "periodic tasks in each set"},
                    {"seed", RTG_NUMBER, "1", "1..1000000", "from which the sets are made"}},
         .series = {{"response", "ns", "the release of a job, as planned", "the end of its work",
                     "each task, its level by its period", "load", RTG_BY_OS, ""},
                    {"missed", "jobs", "after each set", "jobs of it that missed their deadline",
                     "the test's own thread", "load", RTG_BY_VALUE, ""},
                    {"worst", "1/1000", "after each set", "largest response against its deadline",
                     "the test's own thread", "load", RTG_BY_VALUE, ""},
                    {"bound", "1/1000", "after each set",
                     "the same by response-time analysis of the work alone",
                     "the test's own thread", "load", RTG_BY_VALUE, ""}},
         .run = run_test);
