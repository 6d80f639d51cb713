/* THR-P-SLS: N threads of one level yield in turn. The threads form a ring that
 * runs by itself; after each batch the last one wakes the test's own thread at
 * RTG_TOP, which keeps house, and the ring goes on. The lap after such a stop is
 * not recorded: it finds the traces of the house-keeping in the caches.
 *
 * The fields of `ring` are plain: on one CPU under FIFO only one member runs, and
 * every hand-over is a call of the port. Should the system not keep to that, the
 * order is violated and no number comes of it. */
#include "common/roles.h"

enum { MOST = 1000, BATCH = 1000 };

struct member {
    struct rtg_thread thread;
    uint32_t place; /* in the order of arrival, which is that of the ready queue */
};

static struct ring {
    struct rtg_run *run;
    struct rtg_sem batch_done;
    uint32_t n, arrived;
    uint32_t last;    /* who yielded last */
    rtg_stamp_t left; /* and when */
    uint32_t skip;    /* switches not to be recorded */
    uint32_t todo;    /* samples left in this batch */
    bool over;
    uint64_t violations, yields, involuntary, faults;
    struct member member[MOST];
} ring;

/* Outside the stamps: was it this thread's turn, and is the sample wanted? */
static void settle(uint32_t place, rtg_stamp_t stop)
{
    ring.yields++;
    if (ring.over)
        return;
    if (ring.last != (place == 0 ? ring.n : place) - 1)
        ring.violations++;
    if (ring.skip > 0) {
        ring.skip--;
        return;
    }
    rtg_record(ring.run, 0, ring.left, stop, (uint16_t)place);
    if (--ring.todo == 0)
        rtg_sem_release(&ring.batch_done);
}

static void take_turns(void *arg)
{
    struct member *me = arg;
    struct rtg_thread_state before, after;
    me->place = ring.arrived++;
    rtg_thread_query(NULL, &before);
    while (!ring.over) {
        ring.last = me->place;
        ring.left = rtg_stamp_start();
        rtg_thread_yield();
        rtg_stamp_t stop = rtg_stamp_stop();
        settle(me->place, stop);
    }
    if (rtg_thread_query(NULL, &after) == RTG_OK) {
        ring.involuntary += after.involuntary - before.involuntary;
        ring.faults += after.faults - before.faults;
    }
}

/* Samples in batches; returns the number of batches. */
static uint32_t go_round(struct rtg_run *run)
{
    uint32_t left = rtg_samples(run), batches = 0;
    uint32_t batch = left < BATCH ? left : BATCH;
    rtg_per_iteration(run, batch);
    while (left > 0 && rtg_next(run)) {
        ring.todo = left < batch ? left : batch;
        ring.skip = ring.n;
        left -= ring.todo;
        batches++;
        rtg_sem_acquire(&ring.batch_done);
        if (ring.violations > 0)
            rtg_broken(run, "the threads did not run in the order of the ready queue");
    }
    ring.over = true;
    return batches;
}

/* Many systems count a yield as an involuntary switch, and the end of a batch is
 * one in any case: what is left after those was not of the test's making. */
static void give_evidence(struct rtg_run *run, uint32_t batches)
{
    uint64_t own = ring.involuntary >= ring.yields ? ring.yields : 0;
    own += batches;
    uint64_t others = ring.involuntary > own ? ring.involuntary - own : 0;
    rtg_evidence(run, "order_violations", (int64_t)ring.violations, "");
    rtg_evidence(run, "yields", (int64_t)ring.yields, "");
    rtg_evidence(run, "involuntary_switches", (int64_t)others, "");
    rtg_evidence_text(run, "involuntary_switches_are",
                      "of all threads, without the yields and one for each batch");
    rtg_evidence(run, "page_faults", (int64_t)ring.faults, "");
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    ring = (struct ring){.run = run, .n = (uint32_t)rtg_number(run, "threads")};
    int error = rtg_sem_create(&ring.batch_done, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        return rtg_error(run, error, "rtg_sem_create");

    uint32_t made = 0, batches = 0;
    while (made < ring.n && rtg_spawn(run, &ring.member[made].thread, rtg_role_level(RTG_MID),
                                      take_turns, &ring.member[made]))
        made++;
    bool whole = made == ring.n;
    if (whole)
        batches = go_round(run);
    ring.over = true;
    for (uint32_t i = 0; i < made; i++)
        rtg_thread_join(&ring.member[i].thread);
    rtg_sem_destroy(&ring.batch_done);
    if (!whole)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "so many threads could not be created");
    give_evidence(run, batches);
    return RTG_DONE;
}

RTG_TEST(.id = "THR-P-SLS", .title = "Switch latency, same priority, same process",
         .question = "How long does it take from one thread's yield until the next thread of "
                     "the same priority runs?",
         .needs = RTG_NEEDS_REALTIME, .samples = {10000, 100000, 1000000}, .about_ns = 2000,
         .about_ms = 300,
         .params = {{"threads", RTG_NUMBER, "2 10 128 1000", "2..1000",
                     "threads that yield in turn"}},
         .series = {{"", "ns", "just before the yield", "first thing after the next thread's yield",
                     "the yielding thread, then the next one", "thread", RTG_BY_STAMP, ""}},
         .run = run_test);
