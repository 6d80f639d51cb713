/* SIG-P-LAT: a queued signal to a higher thread, or process, that waits for anything. */
#include "common/signalling.h"

static struct table {
    rtg_stamp_t came;
    uint64_t signals;
    uint32_t value;
    bool ready, over;
} *table;

static void handle(uint32_t value)
{
    table->came = rtg_stamp_stop();
    table->value = value;
    table->signals++;
}

static void wait_for_signals(void *arg)
{
    struct rtg_run *run = arg;
    struct rtg_thread_state before;
    rtg_watch_begin(run, &before); /* not the sender: each signal pre-empts it */
    int error = rtg_signal_catch(handle);
    if (error != RTG_OK)
        rtg_broken(run, "signals could not be caught");
    table->ready = true;
    while (!table->over && error == RTG_OK)
        rtg_sleep_for(50000000); /* which a signal ends or not, as the system does it */
    rtg_signal_catch(NULL);
    rtg_watch_end(run, &before);
}

static int send_to(struct peer *peer, uint32_t value)
{
    return peer->process ? rtg_signal_send_process(&peer->child, value)
                         : rtg_signal_send(&peer->thread, value);
}

static void send_all(struct rtg_run *run, struct peer *peer)
{
    uint32_t sent = 0;
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        int error = send_to(peer, ++sent);
        if (error != RTG_OK || table->signals != sent || table->value != sent)
            rtg_broken(run, "the handler did not run at once for each signal with its value");
        rtg_record(run, 0, start, table->came, 0);
    }
}

static enum rtg_outcome play(struct rtg_run *run)
{
    struct peer peer;
    int error = rtg_signal_catch(handle); /* tried here, so that the reason is known */
    if (error != RTG_OK)
        return rtg_error(run, error, "catching queued signals");
    rtg_signal_catch(NULL);
    rtg_self_level(run, rtg_role_level(RTG_MID));
    if (!peer_start(run, &peer, rtg_role_level(RTG_HI), wait_for_signals, run))
        return rtg_unspawned(run);
    while (!table->ready && !rtg_halted(run))
        rtg_sleep_for(1000000);
    rtg_sleep_for(1000000);
    send_all(run, &peer);
    table->over = true;
    peer_join(run, &peer);
    return RTG_DONE;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    size_t bytes = sizeof *table;
    table = rtg_shared_get(&bytes);
    if (table == NULL || bytes < sizeof *table)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory for both parties");
    enum rtg_outcome outcome = play(run);
    rtg_shared_put(table, bytes);
    return outcome;
}

RTG_TEST(.id = "SIG-P-LAT", .title = "Real-time signal latency",
         .question = "How long does it take from the sending of a queued signal until its handler "
                     "runs in a higher thread or process?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {5000, 50000, 500000},
         .about_ns = 10000, .about_ms = 60, .params = {PARAM_PEERS},
         .series = {{"", "ns", "just before the send", "first thing in the handler",
                     "the sender at the level MID, then the receiver at the level HI, which sleeps",
                     "", RTG_BY_STAMP, ""}},
         .run = run_test);
