/* THR-P-SLP: the ring of THR-P-SLS with a process in each place. The members see one
 * table in shared memory; on one CPU under FIFO only one of them runs, and every
 * hand-over is a call of the port. */
#include "common/roles.h"

enum { MOST = 128, BATCH = 1000 };

static struct ring {
    struct rtg_sem enter; /* one token for each member and batch */
    struct rtg_sem left;  /* a batch is complete */
    struct rtg_buffer *samples;
    uint32_t n;
    uint32_t batch;      /* number of the batch under way; a new number ends the old one */
    uint32_t arrived;    /* members that entered: the next one's place in the ready queue */
    uint32_t yielder;    /* place of who yielded last */
    rtg_stamp_t yielded; /* and when */
    uint32_t skip, todo; /* samples not to be recorded first, to be recorded then */
    bool over;
    uint64_t violations, yields;
} *ring;

static struct rtg_process member[MOST];

static void settle(uint32_t place, rtg_stamp_t stop)
{
    if (ring->yielder != (place == 0 ? ring->n : place) - 1)
        ring->violations++;
    if (ring->skip > 0) {
        ring->skip--;
        return;
    }
    rtg_record_in(ring->samples, ring->yielded, stop, (uint16_t)place);
    if (--ring->todo == 0) {
        ring->batch++;
        rtg_sem_release(&ring->left);
    }
}

static void take_turns(uint32_t batch)
{
    uint32_t place = ring->arrived++;
    while (ring->batch == batch) {
        ring->yielder = place;
        ring->yielded = rtg_stamp_start();
        rtg_thread_yield();
        rtg_stamp_t stop = rtg_stamp_stop();
        ring->yields++;
        if (ring->batch == batch)
            settle(place, stop);
    }
}

static void be_member(void *arg)
{
    (void)arg;
    while (rtg_sem_acquire(&ring->enter) == RTG_OK && !ring->over)
        take_turns(ring->batch);
}

static void let_in(uint32_t members)
{
    for (uint32_t i = 0; i < members; i++)
        rtg_sem_release(&ring->enter);
}

static void go_round(struct rtg_run *run)
{
    uint32_t left = rtg_samples(run), room = run->series[0].capacity;
    uint32_t batch = room == 0 ? 1 : room < BATCH ? room : BATCH;
    rtg_per_iteration(run, batch);
    while (left > 0 && rtg_next(run)) {
        ring->todo = left < batch ? left : batch;
        ring->skip = ring->n;
        ring->arrived = 0;
        left -= ring->todo;
        rtg_breathe(run);
        let_in(ring->n);
        rtg_sem_acquire(&ring->left);
        rtg_shared_take(run, 0, ring->samples);
        if (ring->violations > 0)
            rtg_broken(run, "the processes did not run in the order of the ready queue");
    }
}

static enum rtg_outcome play(struct rtg_run *run)
{
    struct rtg_thread_spec spec = {.entry = be_member,
                                   .policy = RTG_FIFO,
                                   .level = rtg_role_level(RTG_MID),
                                   .cpu = rtg_test_cpu()};
    uint32_t made = 0;
    while (made < ring->n && rtg_spawn_process(run, &member[made], &spec))
        made++;
    if (made == ring->n)
        go_round(run);
    ring->over = true;
    let_in(made);
    for (uint32_t i = 0; i < made; i++) {
        if (rtg_process_join(&member[i]) != RTG_OK)
            rtg_broken(run, "a process ended before its time");
    }
    if (made < ring->n)
        return rtg_unspawned(run);
    rtg_evidence(run, "order_violations", (int64_t)ring->violations, "");
    rtg_evidence(run, "yields", (int64_t)ring->yields, "");
    return RTG_DONE;
}

static enum rtg_outcome with_semaphores(struct rtg_run *run)
{
    enum rtg_outcome outcome = RTG_DONE;
    int error = rtg_sem_create(&ring->enter, RTG_COUNTING, RTG_SHARED, 0);
    if (error == RTG_OK) {
        error = rtg_sem_create(&ring->left, RTG_COUNTING, RTG_SHARED, 0);
        if (error == RTG_OK) {
            outcome = play(run);
            rtg_sem_destroy(&ring->left);
        }
        rtg_sem_destroy(&ring->enter);
    }
    return error == RTG_OK ? outcome : rtg_error(run, error, "creating a semaphore");
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    enum rtg_outcome outcome;
    size_t bytes = sizeof *ring;
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    ring = rtg_shared_get(&bytes);
    if (ring == NULL || bytes < sizeof *ring)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory that processes share");
    ring->n = (uint32_t)rtg_number(run, "processes");
    ring->samples = rtg_shared_buffer(BATCH);
    if (ring->samples == NULL) {
        outcome = rtg_reason(run, RTG_NOT_SUPPORTED, "there is not enough memory to share");
    } else {
        outcome = with_semaphores(run);
        rtg_shared_free(ring->samples);
    }
    rtg_shared_put(ring, bytes);
    return outcome;
}

RTG_TEST(.id = "THR-P-SLP", .title = "Switch latency, same priority, between processes",
         .question = "How long does it take from one process's yield until the next process of "
                     "the same priority runs?",
         .needs = RTG_NEEDS_REALTIME, .samples = {10000, 100000, 1000000}, .about_ns = 4000,
         .about_ms = 300,
         .params = {{"processes", RTG_NUMBER, "2 10 128", "2..128",
                     "processes of one thread that yield in turn"}},
         .series = {{"", "ns", "just before the yield", "first thing after the next one's yield",
                     "the yielding process, then the next one", "process", RTG_BY_STAMP, ""}},
         .run = run_test);
