/* THR-B-RR: three equal threads spin, and each notes by its own stamps when it
 * ran. A distance between two of its stamps that no interrupt explains ends a
 * stretch; put together, the stretches show who had the CPU when, and when none
 * of them had it. Under FIFO no thread may lose the CPU to its equal. */
#include <stdatomic.h>

#include "common/roles.h"
#include "common/slices.h"

enum {
    MOST_STRETCHES = 4096, /* of each thread */
    PAUSE_NS = 100000,     /* longer than an interrupt, shorter than a slice */
    CONTROL_LEAST_NS = 50000000,
};
static const uint64_t limit_ns = 10000000000u; /* of one slice */

static struct contest {
    struct rtg_run *run;
    const struct rtg_clock *clock;
    struct rtg_thread thread[THREADS];
    struct stretch_log log[THREADS];
    rtg_stamp_t origin; /* stamp before the first thread ran */
    rtg_stamp_t pause;  /* ticks */
    uint64_t limit;     /* ticks */
    uint32_t wanted;    /* slices after which to end */
    /* Only to know when to end; no figure comes from these two. */
    atomic_uint visits, visitor;
    atomic_bool over, full;
} contest;

/* ---- the threads -------------------------------------------------------- */

/* Whether this is the visit after the last slice wanted. */
static bool is_last_visit(uint32_t me, bool *new_visit)
{
    *new_visit = atomic_load_explicit(&contest.visitor, memory_order_relaxed) != me;
    if (!*new_visit)
        return false;
    atomic_store_explicit(&contest.visitor, me, memory_order_relaxed);
    return atomic_fetch_add(&contest.visits, 1) >= contest.wanted;
}

static void spin(void *arg)
{
    struct stretch_log *log = arg;
    uint32_t me = (uint32_t)(log - contest.log);
    rtg_stamp_t last = contest.origin;
    uint64_t ran = 0; /* ticks of this visit */
    for (;;) {
        bool new_visit, end = is_last_visit(me, &new_visit);
        rtg_stamp_t now = rtg_stamp_stop(); /* after that, so that each visit is noted */
        if (atomic_load_explicit(&contest.over, memory_order_relaxed))
            return;
        bool noted = note_running(log, contest.clock, now, contest.pause);
        rtg_stamp_t step = ticks_between(contest.clock, last, now);
        ran = new_visit ? 0 : ran + (step <= contest.pause ? step : 0);
        last = now;
        if (!noted)
            atomic_store(&contest.full, true);
        if (!noted || end || ran > contest.limit || rtg_halted(contest.run))
            atomic_store(&contest.over, true);
        rtg_cpu_relax();
    }
}

/* Runs until `wanted` slices are complete or one has lasted `limit` ticks. The first thread is
 * at `first`, the others at LO. */
static bool hold_contest(struct rtg_run *run, enum rtg_policy policy, enum rtg_role first,
                         uint32_t wanted, uint64_t limit)
{
    uint32_t made = 0;
    contest.wanted = wanted;
    contest.limit = limit;
    atomic_store(&contest.visits, 0);
    atomic_store(&contest.visitor, NOBODY);
    atomic_store(&contest.over, false);
    contest.origin = contest.clock->read();
    for (; made < THREADS; made++) {
        struct rtg_thread_spec spec = {.entry = spin,
                                       .arg = &contest.log[made],
                                       .policy = policy,
                                       .level = rtg_role_level(made == 0 ? first : RTG_LO),
                                       .cpu = rtg_test_cpu()};
        contest.log[made].count = contest.log[made].read = 0;
        if (!rtg_spawn_as(run, &contest.thread[made], &spec))
            break;
    }
    if (made < THREADS)
        atomic_store(&contest.over, true);
    for (uint32_t i = 0; i < made; i++)
        rtg_thread_join(&contest.thread[i]);
    return made == THREADS;
}

/* ---- the verdict --------------------------------------------------------- */

static void judge_rr(struct rtg_run *run, const struct share_out *out, struct tick_rate rate)
{
    rtg_check(run, RTG_PROPERTY, "sliced", out->slices > 0,
              "A spinning thread loses the CPU to a ready one of equal priority.");
    rtg_check(run, RTG_PROPERTY, "in-turn", takes_turns(out),
              "The threads get their slices in turn, always in the same order.");
    rtg_check(run, RTG_PROPERTY, "fair", shares_are_fair(out, 10),
              "Over whole rounds after the first each of three threads gets a third of the time, "
              "within 10 %.");
    rtg_check(run, RTG_PROPERTY, "first-slice", first_slice_is_usual(out, 150),
              "The first slice after creation is not longer than the later ones, by half.");
    rtg_evidence(run, "outside_ns", (int64_t)ns_of_ticks(rate, out->outside), "ns");
    rtg_evidence(run, "spun_ns", (int64_t)ns_of_ticks(rate, out->sum), "ns");
    if (takes_turns(out)) {
        uint64_t first = (out->first[0] + out->first[1] + out->first[2]) / THREADS;
        rtg_evidence(run, "first_to_later_percent", (int64_t)(first * 100 / later_slice(out)), "%");
    }
}

/* Nobody may lose the CPU under FIFO; where the system has none, to a lower thread. */
static bool hold_control(struct rtg_run *run, uint64_t limit)
{
    static const char equal[] = "A spinning thread loses the CPU to a ready one of equal priority "
                                "within one and a half of the slices seen before.";
    static const char lower[] = "A spinning thread loses the CPU to a ready one of lower priority "
                                "within one and a half of the slices seen before.";
    bool has_fifo = rtg_has_policy(run, RTG_FIFO);
    if (!hold_contest(run, has_fifo ? RTG_FIFO : RTG_RR, has_fifo ? RTG_LO : RTG_MID, 1, limit))
        return false;
    struct share_out out =
        look_back(NULL, contest.log, contest.clock, contest.origin, contest.pause);
    rtg_check(run, RTG_CONTROL, has_fifo ? "sliced-under-fifo" : "sliced-with-lower",
              out.slices > 0, has_fifo ? equal : lower);
    return true;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    size_t bytes = (size_t)THREADS * MOST_STRETCHES * sizeof(struct stretch);
    struct stretch *memory = rtg_scratch(run, &bytes);
    uint32_t room = (uint32_t)(bytes / THREADS / sizeof(struct stretch));
    if (memory == NULL || room < 2)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "needs memory to note when its threads ran");
    contest = (struct contest){.run = run, .clock = stamp_clock(run)};
    for (uint32_t i = 0; i < THREADS; i++)
        contest.log[i] = (struct stretch_log){.at = memory + (size_t)i * room, .room = room};
    struct tick_rate rate = measure_tick_rate(contest.clock);
    contest.pause = (rtg_stamp_t)ticks_of_ns(rate, PAUSE_NS);

    uint32_t rounds = rtg_samples(run) / THREADS + 1;
    if (!hold_contest(run, RTG_RR, RTG_LO, (rounds < 3 ? 3 : rounds) * THREADS,
                      ticks_of_ns(rate, limit_ns)))
        return rtg_unspawned(run);
    struct share_out rr = look_back(run, contest.log, contest.clock, contest.origin, contest.pause);
    if (rtg_halted(run))
        return rtg_reason(run, RTG_INCONCLUSIVE, "stopped before whole rounds were seen");
    judge_rr(run, &rr, rate);

    uint64_t least = ticks_of_ns(rate, CONTROL_LEAST_NS), half_more = rr.longest + rr.longest / 2;
    if (!hold_control(run, half_more > least ? half_more : least))
        return rtg_reason(run, RTG_INVALID, "a thread could not be created");
    if (rtg_halted(run) || atomic_load(&contest.full))
        return rtg_reason(run, RTG_INCONCLUSIVE, "stopped, or the CPU was taken away too often");
    return RTG_DONE;
}

RTG_TEST(.id = "THR-B-RR", .title = "Round robin",
         .question = "Do threads of equal priority under round robin share the CPU fairly, and how "
                     "long are their slices?",
         .needs = RTG_NEEDS_REALTIME | RTG_NEEDS_SLICING, .samples = {15, 60, 300},
         .about_ns = 100000000, .about_ms = 600,
         .series = {{"slice", "ns", "first stamp of a thread that got the CPU",
                     "its last stamp before another thread of the test ran, less the time within "
                     "in which none ran (series outside)",
                     "each spinning thread", "thread", RTG_BY_STAMP, ""},
                    {"first-slice", "ns", "first stamp of a new thread",
                     "its last stamp before another thread of the test ran, less the time within "
                     "in which none ran (series outside)",
                     "each spinning thread", "thread", RTG_BY_STAMP, ""},
                    {"outside", "ns", "last stamp before no thread of the test ran",
                     "first stamp after it", "one or two of the spinning threads",
                     "thread that was interrupted, 3: between two", RTG_BY_STAMP, ""}},
         .run = run_test);
