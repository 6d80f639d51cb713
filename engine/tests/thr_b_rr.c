/* THR-B-RR: three equal threads spin, and each notes by its own stamps when it
 * ran. A distance between two of its stamps that no interrupt explains ends a
 * stretch; put together, the stretches show who had the CPU when, and when none
 * of them had it. Under FIFO no thread may lose the CPU to its equal. */
#include <stdatomic.h>

#include "common/roles.h"
#include "common/stretches.h"

enum {
    THREADS = 3,
    NOBODY = THREADS,
    MOST_STRETCHES = 4096, /* of each thread */
    PAUSE_NS = 100000,     /* longer than an interrupt, shorter than a slice */
    CONTROL_LEAST_NS = 50000000,
    FAIR_PERCENT = 10,
    FIRST_PERCENT = 150 /* up to this share of a later slice, a first one is no longer */
};
static const uint64_t limit_ns = 10000000000u; /* of one slice */
enum { SLICE, FIRST_SLICE, OUTSIDE };

static struct contest {
    struct rtg_run *run;
    const struct rtg_clock *clock;
    struct rtg_thread thread[THREADS];
    struct stretch_log log[THREADS];
    rtg_stamp_t origin;       /* stamp before the first thread ran */
    rtg_stamp_t pause, limit; /* ticks */
    uint32_t wanted;          /* slices after which to end */
    /* Only to know when to end; no figure comes from these two. */
    atomic_uint visits, visitor;
    atomic_bool over, full;
} contest;

/* What one contest showed; times in ticks, of complete slices only. */
struct outcome {
    uint32_t slices, of[THREADS];
    uint64_t share[THREADS], first[THREADS];
    uint64_t sum, later, longest;
    uint64_t outside;         /* in which no thread of the test ran */
    bool in_turn;             /* the threads followed each other in one fixed ring */
    uint32_t before[THREADS]; /* whose the last slices were */
};

/* ---- the threads -------------------------------------------------------- */

/* Whether this is the visit after the last slice wanted, or one without end. */
static bool enough(uint32_t me, rtg_stamp_t now, rtg_stamp_t *since)
{
    bool end = false;
    if (atomic_load_explicit(&contest.visitor, memory_order_relaxed) != me) {
        atomic_store_explicit(&contest.visitor, me, memory_order_relaxed);
        end = atomic_fetch_add(&contest.visits, 1) >= contest.wanted;
        *since = now;
    }
    return end || ticks_between(contest.clock, *since, now) > contest.limit ||
           rtg_halted(contest.run);
}

static void spin(void *arg)
{
    struct stretch_log *log = arg;
    uint32_t me = (uint32_t)(log - contest.log);
    rtg_stamp_t since = contest.origin;
    for (;;) {
        rtg_stamp_t now = rtg_stamp_stop();
        if (atomic_load_explicit(&contest.over, memory_order_relaxed))
            return;
        if (!note_running(log, contest.clock, now, contest.pause)) {
            atomic_store(&contest.full, true);
            atomic_store(&contest.over, true);
        } else if (enough(me, now, &since)) {
            atomic_store(&contest.over, true);
        }
        rtg_cpu_relax();
    }
}

/* Runs until `wanted` slices are complete or one is longer than `limit` ticks. */
static bool hold_contest(struct rtg_run *run, enum rtg_policy policy, uint32_t wanted,
                         rtg_stamp_t limit)
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
                                       .level = rtg_role_level(RTG_LO),
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

/* ---- what they show ----------------------------------------------------- */

/* A slice that the slice of another thread ended. `lost` ticks of it were
 * nobody's. */
static void count_slice(struct outcome *out, struct rtg_run *record, uint32_t who,
                        struct stretch slice, rtg_stamp_t lost)
{
    uint64_t ticks = ticks_between(contest.clock, slice.begin, slice.end) - lost;
    bool first = out->of[who]++ == 0;
    if (record != NULL)
        rtg_record(record, first ? FIRST_SLICE : SLICE, slice.begin,
                   stamp_before(contest.clock, slice.end, lost), (uint16_t)who);
    if (first)
        out->first[who] = ticks;
    else
        out->later += ticks;
    uint32_t *three_ago = &out->before[out->slices % THREADS];
    if (out->slices++ >= THREADS && *three_ago != who)
        out->in_turn = false;
    *three_ago = who;
    out->longest = ticks > out->longest ? ticks : out->longest;
    out->share[who] += ticks;
    out->sum += ticks;
}

/* Puts the stretches in order of time. The last slice is not complete and does
 * not count. Records what it finds when `record` is not NULL. */
static struct outcome look(struct rtg_run *record)
{
    struct outcome out = {.in_turn = true};
    struct stretch slice, more;
    rtg_stamp_t lost = 0;
    uint32_t next, who = next_stretch(contest.log, THREADS, contest.clock, contest.origin, &slice);
    if (who == NOBODY)
        return out;
    while ((next = next_stretch(contest.log, THREADS, contest.clock, slice.begin, &more)) !=
           NOBODY) {
        rtg_stamp_t gap = ticks_between(contest.clock, slice.end, more.begin);
        if (gap > contest.pause) {
            out.outside += gap;
            if (record != NULL)
                rtg_record(record, OUTSIDE, slice.end, more.begin,
                           (uint16_t)(next == who ? who : NOBODY));
        }
        if (next == who) {
            lost += gap;
            slice.end = more.end;
            continue;
        }
        count_slice(&out, record, who, slice, lost);
        who = next;
        slice = more;
        lost = 0;
    }
    return out;
}

static bool takes_turns(const struct outcome *out)
{
    return out->in_turn && out->of[0] >= 2 && out->of[1] >= 2 && out->of[2] >= 2;
}

/* The contest ends after whole rounds, so all have the same number of slices. */
static bool is_fair(const struct outcome *out)
{
    bool fair = out->of[0] > 0;
    uint64_t third = out->sum / THREADS;
    for (uint32_t i = 0; i < THREADS; i++) {
        uint64_t off = out->share[i] > third ? out->share[i] - third : third - out->share[i];
        fair = fair && out->of[i] == out->of[0] && off * 100 <= third * FAIR_PERCENT;
    }
    return fair;
}

static bool first_is_like_later(const struct outcome *out)
{
    uint64_t later = out->slices > THREADS ? out->later / (out->slices - THREADS) : 0;
    bool like = takes_turns(out);
    for (uint32_t i = 0; i < THREADS; i++)
        like = like && out->first[i] * 100 <= later * FIRST_PERCENT;
    return like;
}

static void judge_rr(struct rtg_run *run, const struct outcome *out, struct tick_rate rate)
{
    rtg_check(run, RTG_PROPERTY, "sliced", out->slices > 0,
              "A spinning thread loses the CPU to a ready one of equal priority.");
    rtg_check(run, RTG_PROPERTY, "in-turn", takes_turns(out),
              "The threads get their slices in turn, always in the same order.");
    rtg_check(run, RTG_PROPERTY, "fair", is_fair(out),
              "Over whole rounds each of three threads gets a third of the time, within 10 %.");
    rtg_check(run, RTG_PROPERTY, "first-slice", first_is_like_later(out),
              "The first slice after creation is not longer than the later ones.");
    rtg_evidence(run, "outside_ns", (int64_t)ns_of_ticks(rate, out->outside), "ns");
    rtg_evidence(run, "spun_ns", (int64_t)ns_of_ticks(rate, out->sum), "ns");
    if (takes_turns(out)) {
        uint64_t first = (out->first[0] + out->first[1] + out->first[2]) / THREADS;
        uint64_t later = out->later / (out->slices - THREADS);
        rtg_evidence(run, "first_to_later_percent", (int64_t)(first * 100 / later), "%");
    }
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
    uint64_t most = ticks_of_ns(rate, limit_ns), wrap = half_wrap(contest.clock);

    uint32_t rounds = rtg_samples(run) / THREADS + 1;
    if (!hold_contest(run, RTG_RR, (rounds < 3 ? 3 : rounds) * THREADS,
                      (rtg_stamp_t)(most < wrap ? most : wrap)))
        return rtg_reason(run, RTG_INVALID, "a thread could not be created");
    struct outcome rr = look(run);
    judge_rr(run, &rr, rate);

    uint64_t least = ticks_of_ns(rate, CONTROL_LEAST_NS), half_more = rr.longest + rr.longest / 2;
    if (!hold_contest(run, RTG_FIFO, UINT32_MAX,
                      (rtg_stamp_t)(half_more > least ? half_more : least)))
        return rtg_reason(run, RTG_INVALID, "a thread could not be created");
    struct outcome fifo = look(NULL);
    rtg_check(run, RTG_CONTROL, "sliced-under-fifo", fifo.slices > 0,
              "A spinning thread loses the CPU to a ready one of equal priority within one and a "
              "half of the slices seen before.");
    if (atomic_load(&contest.full))
        return rtg_reason(run, RTG_INCONCLUSIVE, "the CPU was taken away too often");
    return RTG_DONE;
}

RTG_TEST(.id = "THR-B-RR", .title = "Round robin",
         .question = "Do threads of equal priority under round robin share the CPU fairly, and how "
                     "long are their slices?",
         .needs = RTG_NEEDS_REALTIME, .samples = {15, 60, 300}, .about_ns = 100000000,
         .about_ms = 600,
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
