/* CPU-P-RSP: a fixed block of work, calibrated once to 10 ms. Whatever makes one run
 * of it longer was not the work. */
#include <string.h>

#include "rtgauge/test.h"

enum { BLOCK_NS = 10000000, TRIES = 15, COPY_BYTES = 65536 };

static uint8_t *copied, *original; /* COPY_BYTES each */

static void copy(uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++) {
        memcpy(copied, original, COPY_BYTES);
        original[i % COPY_BYTES] = copied[(i + 1) % COPY_BYTES]; /* each copy has a reader */
    }
}

/* Of the modules of the old synthetic benchmark those that need no library: simple
 * arithmetic on variables and on an array, branches, and calls. */
static double shift(double x, double y)
{
    return (x + y) * 0.499975;
}

static void whetstone(uint32_t rounds)
{
    static volatile double kept;
    double e[4] = {1.0, -1.0, -1.0, -1.0}, t = 0.499975;
    int branch = 1;
    for (uint32_t i = 0; i < rounds; i++) {
        for (int n = 0; n < 4; n++) {
            e[n] = (e[0] + e[1] + e[2] - e[3]) * t;
            e[(n + 1) & 3] = (e[0] - e[1] + e[2] + e[3]) * t;
        }
        branch = branch == 1 ? 2 : branch > 2 ? 0 : 1;
        e[branch] = shift(e[branch], e[3]);
        if (e[0] > 1.0e3 || e[0] < -1.0e3 || e[1] > 1.0e3 || e[1] < -1.0e3)
            e[0] = e[1] = 1.0;
    }
    kept = e[0] + e[1] + e[2] + e[3];
    (void)kept;
}

static uint64_t time_of(void (*work)(uint32_t), uint32_t rounds)
{
    uint64_t begin = rtg_os_now();
    work(rounds);
    return rtg_os_now() - begin;
}

static uint64_t shortest(void (*work)(uint32_t), uint32_t rounds)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t took = time_of(work, rounds);
        least = took < least ? took : least;
    }
    return least;
}

/* Rounds that take 10 ms undisturbed, tried from `rounds` up; 0 where the work takes no
 * time. */
static uint32_t calibrate(void (*work)(uint32_t), uint32_t rounds)
{
    enum { TRIAL_NS = 200000, DOUBLINGS = 10 };
    for (int i = 0; i < DOUBLINGS && time_of(work, rounds) < TRIAL_NS; i++)
        rounds *= 2;
    uint64_t least = shortest(work, rounds);
    if (least < TRIAL_NS / 4)
        return 0;
    return (uint32_t)((uint64_t)rounds * BLOCK_NS / least);
}

static void measure(struct rtg_run *run, void (*work)(uint32_t), uint32_t rounds)
{
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        work(rounds);
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, 0, start, stop, (uint16_t)rtg_cpu_now());
    }
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_thread_state before;
    void (*work)(uint32_t) = rtg_is(run, "work", "add")    ? rtg_work
                             : rtg_is(run, "work", "copy") ? copy
                                                           : whetstone;
    size_t bytes = 2 * COPY_BYTES;
    original = rtg_scratch(run, &bytes);
    if (original == NULL || bytes < 2 * COPY_BYTES)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory to copy");
    copied = original + COPY_BYTES;
    memset(original, 1, COPY_BYTES);
    rtg_self_level(run, rtg_role_level(RTG_HI));
    uint32_t rounds = calibrate(work, work == copy ? 2 : 1000);
    if (rounds == 0)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "this work takes no time here");
    rtg_watch_begin(run, &before);
    measure(run, work, rounds);
    rtg_watch_end(run, &before);
    rtg_evidence(run, "block", BLOCK_NS, "ns");
    rtg_evidence(run, "rounds", rounds, "");
    return RTG_DONE;
}

RTG_TEST(.id = "CPU-P-RSP", .title = "Response of a block of work",
         .question = "How much longer than its 10 ms does a fixed block of work take at worst?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {100, 1000, 30000},
         .about_ns = 10500000, .about_ms = 250,
         .params = {{"work", RTG_CHOICE, "add copy whetstone", "add copy whetstone",
                     "integer arithmetic, copies of 64 KB, floating-point arithmetic"}},
         .series = {{"", "ns", "just before the block of work", "just after it",
                     "the only thread, at the level HI", "cpu", RTG_BY_STAMP, ""}},
         .run = run_test);
