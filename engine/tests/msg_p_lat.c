/* MSG-P-LAT: a message to a higher thread, or process, that waits for it. */
#include "common/messages.h"

/* In memory that both parties see, and that processes of other tests need not copy. */
static struct table {
    struct rtg_queue queue;
    rtg_stamp_t came;
    uint64_t messages;
    uint32_t size;
    bool wrong; /* a message of another size came */
    volatile bool over;
    _Alignas(8) uint8_t out[LARGEST], in[LARGEST];
} *table;

static void receive(void *arg)
{
    uint32_t size = 0, priority = 0;
    struct rtg_thread_state before;
    struct rtg_run *run = arg;
    rtg_watch_begin(run, &before); /* not the sender: each message pre-empts it */
    while (rtg_queue_receive(&table->queue, table->in, &size, &priority) == RTG_OK) {
        table->came = rtg_stamp_stop();
        if (priority == 1 || table->over)
            break;
        table->wrong = table->wrong || size != table->size;
        table->messages++;
    }
    rtg_watch_end(run, &before);
}

static void send_all(struct rtg_run *run)
{
    uint64_t sent = 0;
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        int error = rtg_queue_send(&table->queue, table->out, table->size, 0);
        if (error != RTG_OK || table->messages != ++sent)
            rtg_broken(run, "the receiver did not run at once with each message");
        rtg_record(run, 0, start, table->came, 0);
    }
    if (table->wrong)
        rtg_broken(run, "a message came with another size than it was sent with");
}

static enum rtg_outcome play(struct rtg_run *run)
{
    struct peer peer;
    rtg_self_level(run, rtg_role_level(RTG_MID));
    if (!peer_start(run, &peer, rtg_role_level(RTG_HI), receive, run))
        return rtg_unspawned(run);
    rtg_sleep_for(1000000); /* a process begins at its own pace */
    send_all(run);
    send_last(&table->queue, table->out, table->size, &table->over);
    peer_join(run, &peer);
    return RTG_DONE;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    size_t bytes = sizeof *table;
    table = rtg_shared_get(&bytes);
    if (table == NULL || bytes < sizeof *table)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory for both parties");
    table->size = (uint32_t)rtg_number(run, "size");
    int error = rtg_queue_create(&table->queue, MESSAGES, table->size);
    enum rtg_outcome outcome = error == RTG_OK ? play(run) : no_queue(run, error);
    if (error == RTG_OK)
        rtg_queue_destroy(&table->queue);
    rtg_shared_put(table, bytes);
    return outcome;
}

RTG_TEST(.id = "MSG-P-LAT", .title = "Message latency",
         .question = "How long does it take from the sending of a message until the higher thread "
                     "or process that waits for it has it?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {5000, 50000, 500000},
         .about_ns = 12000, .about_ms = 12,
         .params = {PARAM_PEERS, PARAM_SIZE("1 128 1024 8192 65536")},
         .series = {{"", "ns", "just before the send", "first thing after the receive",
                     "the sender at the level MID, then the receiver at the level HI", "",
                     RTG_BY_STAMP, ""}},
         .run = run_test);
