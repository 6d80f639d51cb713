/* CAL-P-TRC: what a stamp costs. */
#include "common/ticks.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Two steps of one counter: the smallest that was seen (which a slow read makes
 * larger than the counter's own), and the one of which all seen are multiples. */
static void note_resolution(struct rtg_run *run)
{
    enum { READS = 4000 };
    const struct rtg_clock *clock = stamp_clock(run);
    uint64_t smallest = 0, divisor = 0;
    rtg_stamp_t last = rtg_stamp_stop();
    for (int i = 0; i < READS; i++) {
        rtg_stamp_t now = rtg_stamp_stop();
        uint64_t step = ticks_between(clock, last, now);
        if (step != 0 && (smallest == 0 || step < smallest))
            smallest = step;
        divisor = common_divisor(divisor, step);
        last = now;
    }
    rtg_evidence_text(run, "clock", clock->name);
    rtg_evidence(run, "clock_width", clock->width, "bit");
    rtg_evidence(run, "smallest_step_seen", (int64_t)smallest, "ticks");
    rtg_evidence(run, "counter_step", (int64_t)divisor, "ticks");
}

static enum rtg_outcome run(struct rtg_run *run)
{
    struct rtg_thread_state before;
    note_resolution(run);
    rtg_watch_begin(run, &before);
    while (rtg_next(run)) {
        rtg_stamp_t start = rtg_stamp_start();
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, 0, start, stop, 0);
    }
    rtg_watch_end(run, &before);
    return RTG_DONE;
}

RTG_TEST(.id = "CAL-P-TRC", .title = "stamp overhead",
         .question = "How much time do the two stamps of a sample take themselves?",
         .needs = RTG_TURN_BY_TURN, .samples = {10000, 10000, 10000}, .about_ns = 100,
         .about_ms = 2,
         .series = {{"overhead", "ns", "nothing stands between the two stamps",
                     "directly after the first",
                     "the only thread, at the level TOP where levels are allowed", "", RTG_BY_STAMP,
                     ""}},
         .run = run);
