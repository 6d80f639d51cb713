/* One test from test-begin to test-end, and the one iteration loop. */
#include <string.h>

#include "core.h"

enum { CLOSING_SECONDS = 30 }; /* from the request to end until the watchdog bites */

bool rtg_same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- the iteration loop ------------------------------------------------ */

uint32_t rtg_samples(const struct rtg_run *run)
{
    return rtg_core_of(run)->job->samples;
}

const struct rtg_clock *rtg_clock_of(const struct rtg_run *run)
{
    return rtg_clocks[rtg_core_of(run)->clock.index];
}

/* *now receives the time unless the test is at its end. */
static bool halted(struct rtg_core *core, uint64_t *now)
{
    if (atomic_load_explicit(&core->tally->broken, memory_order_relaxed))
        return true;
    if (atomic_load_explicit(&core->tally->stopped, memory_order_relaxed))
        return true;
    if (atomic_load_explicit(&core->events.broke, memory_order_relaxed))
        return true;
    if (!rtg_stop_asked() && (*now = rtg_os_now()) <= core->deadline_ns)
        return false;
    if (!atomic_exchange(&core->tally->stopped, true))
        rtg_watchdog(CLOSING_SECONDS * 1000000000ull);
    return true;
}

bool rtg_halted(const struct rtg_run *run)
{
    uint64_t now = 0;
    return halted(rtg_core_of(run), &now);
}

void rtg_per_iteration(struct rtg_run *run, uint32_t samples)
{
    struct rtg_core *core = rtg_core_of(run);
    core->per_turn = samples == 0 ? 1 : samples;
    core->turns = (core->job->samples + core->per_turn - 1) / core->per_turn;
}

static bool full(const struct rtg_core *core)
{
    for (uint32_t i = 0; i < core->series; i++) {
        if (core->run.series[i].capacity - core->run.series[i].count < core->per_turn)
            return true;
    }
    return false;
}

/* Reads memory of twice the largest cache, which leaves nothing of the test's in
 * any that holds data. A cache of instructions that no larger one contains may
 * keep code. */
void rtg_dirty(const struct rtg_run *run)
{
    const struct rtg_core *core = rtg_core_of(run);
    volatile const uint8_t *at = core->evict;
    for (size_t i = 0; at != NULL && i < core->evict_size; i += 64)
        (void)at[i];
}

bool rtg_next(struct rtg_run *run)
{
    struct rtg_core *core = rtg_core_of(run);
    uint64_t now = 0;
    if (rtg_break_now(core) || core->turn >= core->turns || halted(core, &now))
        return false;
    bool due = rtg_checkpoint_due(core, now);
    if (full(core) || due || rtg_events_due(core))
        rtg_events_pause(core);
    if (due)
        rtg_checkpoint(core);
    core->turn++;
    rtg_dirty(run);
    return true;
}

/* ---- running ------------------------------------------------------------ */

struct director {
    struct rtg_core *core;
    struct rtg_thread_spec spec;
};

/* The test's own thread, which in many tests is the one that is measured. */
static void direct(void *arg)
{
    struct director *me = arg;
    struct rtg_run *run = &me->core->run;
    rtg_read_back(run, &me->spec);
    if (!atomic_load(&me->core->tally->broken))
        me->core->outcome = run->test->run(run);
}

static enum rtg_outcome start_and_wait(struct rtg_core *core, bool realtime)
{
    struct rtg_thread thread;
    struct director director = {.core = core};
    director.spec = (struct rtg_thread_spec){.entry = direct,
                                             .arg = &director,
                                             .policy = realtime ? RTG_FIFO : RTG_NORMAL,
                                             .level = rtg_role_level(RTG_TOP),
                                             .cpu = core->request.limits.cpu,
                                             .stack = RTG_DIRECTOR_STACK};
    core->realtime = RTG_FIFO;
    int error = rtg_thread_create(&thread, &director.spec);
    if (error == RTG_ENOSUP && realtime) {
        core->realtime = director.spec.policy = RTG_RR;
        error = rtg_thread_create(&thread, &director.spec);
    }
    if (error != RTG_OK)
        return rtg_error(&core->run, error, "creating the test's own thread");
    rtg_thread_join(&thread);
    return core->outcome;
}

static const char without_caches[] =
    "time is virtual here: it counts instructions, and caches take none";

/* Whether the test can run here at all; the outcome otherwise. */
static enum rtg_outcome admit(struct rtg_core *core, bool *realtime)
{
    struct rtg_run *run = &core->run;
    uint32_t needs = run->test->needs;
    const char *why = NULL, *wrong = rtg_check_params(run->test, core->job);
    int allowed = rtg_realtime_allowed(&why);
    *realtime = allowed == RTG_OK;
    if (wrong != NULL)
        return rtg_reason(run, RTG_INVALID, wrong);
    if (core->events.ended)
        return rtg_reason(run, RTG_INCONCLUSIVE,
                          "left out: a sample of an earlier test was above the limit that ends "
                          "the run");
    if ((needs & RTG_NEEDS_REALTIME) && allowed != RTG_OK)
        return rtg_reason(run, allowed == RTG_EPERM ? RTG_NOT_PERMITTED : RTG_NOT_SUPPORTED, why);
    if ((needs & RTG_NEEDS_TWO_CPUS) && rtg_cpu_count() < 2)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "needs two CPUs, and this process may use one");
    if ((needs & RTG_NEEDS_CACHES) && rtg_cache_bytes(NULL) == 0)
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          rtg_virtual_ns() != 0 ? without_caches
                                                : "the sizes of the caches are not known here");
    if (core->request.dirty && rtg_virtual_ns() != 0)
        return rtg_reason(run, RTG_NOT_SUPPORTED, without_caches);
    if (core->request.dirty && !(needs & RTG_TURN_BY_TURN))
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          "the caches cannot be dirtied before each sample of this test");
    if (core->request.dirty && core->evict == NULL)
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          "the caches cannot be dirtied: their size or the memory is missing");
    return RTG_DONE;
}

static void prepare(struct rtg_core *core)
{
    memset(core->drained, 0, sizeof core->drained);
    core->resumed = false;
    core->turn = 0;
    core->outcome = RTG_DONE;
    core->reason[0] = 0;
    core->run.core = core;
    core->breath_ns = rtg_os_now();
    core->deadline_ns = core->breath_ns + rtg_time_allowed(core);
    rtg_per_iteration(&core->run, 1);
    rtg_spawn_reset(core);
}

/* What broke is the reason that counts, also where the test was then cut short. */
static void take_broken_premise(struct rtg_core *core)
{
    if (!atomic_load(&core->tally->broken))
        return;
    if (core->outcome != RTG_DONE && core->outcome != RTG_INCONCLUSIVE)
        return;
    core->reason[0] = 0;
    core->outcome = rtg_reason(&core->run, RTG_INVALID, core->tally->broken_why);
}

static const struct rtg_test *find_test(const struct rtg_core *core, const char *id)
{
    const struct rtg_test *const *test = rtg_tests[core->clock.index];
    while (*test != NULL && !rtg_same((*test)->id, id))
        test++;
    return *test;
}

void rtg_run_job(struct rtg_core *core, uint32_t index)
{
    core->job = &core->request.job[index];
    core->run.test = find_test(core, core->job->id);
    if (core->run.test == NULL)
        return; /* the host sees that the job has no test-begin */
    prepare(core);
    uint32_t capacity = rtg_lay_out(core);
    rtg_accumulate_begin(core);
    bool realtime;
    rtg_put_test_begin(core, index, core->series != 0 && capacity < core->job->samples);
    core->outcome = admit(core, &realtime);
    if (core->outcome == RTG_DONE) {
        rtg_watchdog(rtg_time_allowed(core) + CLOSING_SECONDS * 1000000000ull);
        rtg_loads_mark(core);
        rtg_events_begin_test(core);
        rtg_live_begin(core);
        core->outcome = start_and_wait(core, realtime);
        rtg_live_end(core);
        rtg_events_freeze(core);
        if (core->outcome == RTG_DONE)
            rtg_break_now(core); /* of the last turn, after which not every test asks for one */
        rtg_watchdog(0);
    }
    if (core->scratch != NULL)
        rtg_scratch_put(core->scratch, core->scratch_size);
    core->scratch = NULL;
    take_broken_premise(core);
    rtg_put_loads(core);
    rtg_spawn_report(core);
    rtg_drain(core);
    rtg_events_end_test(core);
    rtg_checkpoint(core);
    rtg_accumulate_end(core);
    rtg_put_test_end(core);
}

void *rtg_scratch(struct rtg_run *run, size_t *bytes)
{
    struct rtg_core *core = rtg_core_of(run);
    if (core->scratch != NULL) {
        *bytes = 0;
        return NULL;
    }
    core->scratch = rtg_scratch_get(bytes);
    core->scratch_size = *bytes;
    return core->scratch;
}
