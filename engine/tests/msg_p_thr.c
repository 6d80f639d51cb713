/* MSG-P-THR: messages as fast as a sender and a receiver of one level can pass them on.
 * A sample is the time of a fixed number of them; the host makes a rate of it. */
#include "common/messages.h"

enum { PACK = 64 }; /* messages in one sample */

/* In memory that both parties see, and that processes of other tests need not copy. */
static struct table {
    struct rtg_queue queue;
    struct rtg_sem done; /* a pack has arrived */
    uint64_t messages;
    uint32_t size;
    volatile bool over;
    _Alignas(8) uint8_t out[LARGEST], in[LARGEST];
} *table;

static void receive(void *arg)
{
    uint32_t size = 0, priority = 0;
    (void)arg;
    while (rtg_queue_receive(&table->queue, table->in, &size, &priority) == RTG_OK &&
           priority == 0 && !table->over) {
        if (++table->messages % PACK == 0)
            rtg_sem_release(&table->done);
    }
}

static void send_all(struct rtg_run *run)
{
    uint64_t sent = 0;
    while (rtg_next(run)) {
        int errors = 0;
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        for (uint32_t i = 0; i < PACK; i++)
            errors |= rtg_queue_send(&table->queue, table->out, table->size, 0);
        errors |= rtg_sem_acquire(&table->done);
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, 0, start, stop, 0);
        if (errors != RTG_OK || table->messages != (sent += PACK))
            rtg_broken(run, "not every message of a pack had arrived at its end");
    }
}

static enum rtg_outcome play(struct rtg_run *run)
{
    struct rtg_thread_state before;
    struct peer peer;
    uint32_t level = rtg_role_level(RTG_HI);
    rtg_self_level(run, level);
    if (!peer_start(run, &peer, level, receive, NULL))
        return rtg_unspawned(run);
    rtg_watch_begin(run, &before);
    send_all(run);
    rtg_watch_end(run, &before);
    send_last(&table->queue, table->out, table->size, &table->over);
    peer_join(run, &peer);
    rtg_evidence(run, "bytes", (int64_t)PACK * table->size, "B");
    return RTG_DONE;
}

static enum rtg_outcome with_queue(struct rtg_run *run)
{
    table->size = (uint32_t)rtg_number(run, "size");
    int error = rtg_queue_create(&table->queue, MESSAGES, table->size);
    if (error != RTG_OK)
        return no_queue(run, error);
    enum rtg_outcome outcome = RTG_DONE;
    error = rtg_sem_create(&table->done, RTG_COUNTING,
                           between_processes(run) ? RTG_SHARED : RTG_UNNAMED, 0);
    if (error == RTG_OK) {
        outcome = play(run);
        rtg_sem_destroy(&table->done);
    }
    rtg_queue_destroy(&table->queue);
    return error == RTG_OK ? outcome : rtg_error(run, error, "creating a semaphore");
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    size_t bytes = sizeof *table;
    table = rtg_shared_get(&bytes);
    if (table == NULL || bytes < sizeof *table)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory for both parties");
    enum rtg_outcome outcome = with_queue(run);
    rtg_shared_put(table, bytes);
    return outcome;
}

RTG_TEST(.id = "MSG-P-THR", .title = "Message throughput",
         .question = "How many bytes of messages a second go from one thread or process to "
                     "another?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {300, 5000, 50000},
         .about_ns = 300000, .about_ms = 10, .params = {PARAM_PEERS, PARAM_SIZE("128 8192 65536")},
         .series = {{"pack", "ns", "just before the first of 64 sends",
                     "when the receiver has told of the last one", "the sender, at the level HI",
                     "", RTG_BY_STAMP, ""},
                    {"rate", "MB/s", "the bytes of a pack", "divided by its time", "both", "",
                     RTG_BY_HOST, "rate:pack"}},
         .run = run_test);
