/* THR-P-SLS: N threads of one level yield in turn. The threads form a ring that
 * runs by itself for one batch of samples; then all of them leave it, and the
 * test's own thread keeps house before it lets them in again. The first lap of a
 * batch is not recorded: it finds the traces of the house-keeping in the caches.
 *
 * The fields of `ring` are plain: on one CPU under FIFO only one member runs, and
 * every hand-over is a call of the port. Should the system not keep to that, the
 * order is violated and no number comes of it. */
#include "common/roles.h"

enum { MOST = 1000, BATCH = 1000 };

static struct ring {
    struct rtg_run *run;
    struct rtg_sem enter; /* one token for each member and batch */
    struct rtg_sem left;  /* a batch is complete */
    struct rtg_thread thread[MOST];
    uint32_t n;
    uint32_t batch;      /* number of the batch under way; a new number ends the old one */
    uint32_t arrived;    /* members that entered: the next one's place in the ready queue */
    uint32_t yielder;    /* place of who yielded last */
    rtg_stamp_t yielded; /* and when */
    uint32_t skip, todo; /* samples not to be recorded first, to be recorded then */
    bool over;
    uint64_t violations, yields, involuntary, faults;
} ring;

/* Outside the stamps: was it this thread's turn, and is the sample wanted? */
static void settle(uint32_t place, rtg_stamp_t stop)
{
    if (ring.yielder != (place == 0 ? ring.n : place) - 1)
        ring.violations++;
    if (ring.skip > 0) {
        ring.skip--;
        return;
    }
    rtg_record(ring.run, 0, ring.yielded, stop, (uint16_t)place);
    if (--ring.todo == 0) {
        ring.batch++;
        rtg_sem_release(&ring.left);
    }
}

static void take_turns(uint32_t batch)
{
    uint32_t place = ring.arrived++;
    while (ring.batch == batch) {
        ring.yielder = place;
        ring.yielded = rtg_stamp_start();
        rtg_thread_yield();
        rtg_stamp_t stop = rtg_stamp_stop();
        ring.yields++;
        if (ring.batch == batch)
            settle(place, stop);
    }
}

static void be_member(void *arg)
{
    struct rtg_thread_state before, after;
    (void)arg;
    rtg_thread_query(NULL, &before);
    while (rtg_sem_acquire(&ring.enter) == RTG_OK && !ring.over)
        take_turns(ring.batch);
    if (rtg_thread_query(NULL, &after) == RTG_OK) {
        ring.involuntary += after.involuntary - before.involuntary;
        ring.faults += after.faults - before.faults;
    }
}

static void let_in(uint32_t members)
{
    for (uint32_t i = 0; i < members; i++)
        rtg_sem_release(&ring.enter);
}

/* Samples in batches; returns the number of batches. */
static uint32_t go_round(struct rtg_run *run)
{
    uint32_t left = rtg_samples(run), batches = 0;
    uint32_t batch = left < BATCH ? left : BATCH, room = run->series[0].capacity;
    batch = room == 0 ? 1 : batch < room ? batch : room;
    rtg_per_iteration(run, batch);
    while (left > 0 && rtg_next(run)) {
        ring.todo = left < batch ? left : batch;
        ring.skip = ring.n;
        ring.arrived = 0;
        left -= ring.todo;
        batches++;
        rtg_breathe(run);
        let_in(ring.n);
        rtg_sem_acquire(&ring.left);
        if (ring.violations > 0)
            rtg_broken(run, "the threads did not run in the order of the ready queue");
    }
    return batches;
}

/* Many systems count a yield as an involuntary switch, and the end of a batch is
 * one in any case: what is left after those was not of the test's making. */
static void give_evidence(struct rtg_run *run, uint32_t batches)
{
    uint64_t own = batches + (ring.involuntary >= ring.yields ? ring.yields : 0);
    uint64_t others = ring.involuntary > own ? ring.involuntary - own : 0;
    rtg_evidence(run, "order_violations", (int64_t)ring.violations, "");
    rtg_evidence(run, "yields", (int64_t)ring.yields, "");
    rtg_evidence_switches(run, "involuntary_switches", (int64_t)others);
    rtg_evidence_text(run, "involuntary_switches_are",
                      "of all threads, without the yields and one for each batch");
    rtg_evidence(run, "page_faults", (int64_t)ring.faults, "");
}

static int make_semaphores(void)
{
    int error = rtg_sem_create(&ring.enter, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        return error;
    error = rtg_sem_create(&ring.left, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        rtg_sem_destroy(&ring.enter);
    return error;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    ring = (struct ring){.run = run, .n = (uint32_t)rtg_number(run, "threads")};
    int error = make_semaphores();
    if (error != RTG_OK)
        return rtg_error(run, error, "rtg_sem_create");

    uint32_t made = 0, batches = 0;
    while (made < ring.n &&
           rtg_spawn(run, &ring.thread[made], rtg_role_level(RTG_MID), be_member, NULL))
        made++;
    if (made == ring.n)
        batches = go_round(run);
    ring.over = true;
    let_in(made);
    for (uint32_t i = 0; i < made; i++)
        rtg_thread_join(&ring.thread[i]);
    rtg_sem_destroy(&ring.enter);
    rtg_sem_destroy(&ring.left);
    if (made < ring.n)
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
