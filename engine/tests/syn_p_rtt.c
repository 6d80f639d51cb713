/* SYN-P-RTT: two parties of one level signal each other in turn. A round trip holds
 * two switches, two signals and two waits; what one pair of those costs without a
 * switch is measured beside it, so that the switch alone can be told. */
#include "common/signalling.h"

enum { ROUND_TRIP, SIGNAL };

/* In memory that both parties see. */
static struct table {
    struct rtg_sem there, back;
    uint64_t answers; /* made by the other party */
    bool over;
} *table;

static void answer(void *arg)
{
    (void)arg;
    while (rtg_sem_acquire(&table->there) == RTG_OK && !table->over) {
        table->answers++;
        rtg_sem_release(&table->back);
    }
}

static uint64_t go_round(struct rtg_run *run)
{
    uint64_t rounds = 0;
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        int error = rtg_sem_release(&table->there);
        int error_back = rtg_sem_acquire(&table->back);
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, ROUND_TRIP, start, stop, 0);
        if (error != RTG_OK || error_back != RTG_OK || table->answers != ++rounds)
            rtg_broken(run, "the other party did not answer each signal once");
        rtg_dirty(run);
        rtg_stamp_t start_signal = rtg_stamp_start();
        error = rtg_sem_release(&table->back);
        error_back = rtg_sem_acquire(&table->back);
        rtg_stamp_t stop_signal = rtg_stamp_stop();
        rtg_record(run, SIGNAL, start_signal, stop_signal, 0);
        if (error != RTG_OK || error_back != RTG_OK)
            rtg_broken(run, "a semaphore could not be released and acquired");
    }
    return rounds;
}

static enum rtg_outcome play(struct rtg_run *run)
{
    struct rtg_thread_state before;
    struct peer peer;
    uint32_t level = rtg_role_level(RTG_HI);
    rtg_self_level(run, level);
    if (!peer_start(run, &peer, level, answer, NULL))
        return rtg_unspawned(run);
    rtg_watch_begin(run, &before);
    uint64_t rounds = go_round(run);
    rtg_watch_end(run, &before);
    table->over = true;
    rtg_sem_release(&table->there);
    peer_join(run, &peer);
    rtg_evidence(run, "round_trips", (int64_t)rounds, "");
    return RTG_DONE;
}

/* Named semaphores are for processes by their nature; of the others, those that say so. */
static enum rtg_sem_name form_of(const struct rtg_run *run)
{
    if (name_of_kind(run) == RTG_NAMED)
        return RTG_NAMED;
    return between_processes(run) ? RTG_SHARED : RTG_UNNAMED;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    size_t bytes = sizeof *table;
    table = rtg_shared_get(&bytes);
    if (table == NULL || bytes < sizeof *table)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory for both parties");
    enum rtg_outcome outcome = RTG_DONE;
    int error = rtg_sem_create(&table->there, RTG_COUNTING, form_of(run), 0);
    if (error == RTG_OK) {
        error = rtg_sem_create(&table->back, RTG_COUNTING, form_of(run), 0);
        if (error == RTG_OK) {
            outcome = play(run);
            rtg_sem_destroy(&table->back);
        }
        rtg_sem_destroy(&table->there);
    }
    if (error != RTG_OK)
        outcome = rtg_error(run, error, "creating a semaphore");
    rtg_shared_put(table, bytes);
    return outcome;
}

RTG_TEST(.id = "SYN-P-RTT", .title = "Signalling between two",
         .question = "How long does it take to signal another thread or process and to get its "
                     "signal back, and how much of that is the switch?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {10000, 100000, 1000000},
         .about_ns = 12000, .about_ms = 10,
         .params = {PARAM_PEERS,
                    {"kind", RTG_CHOICE, "unnamed", "unnamed named",
                     "semaphores without or with a name"}},
         .series = {{"round-trip", "ns", "just before the signal to the other party",
                     "just after the wait for its answer", "the first party, at the level HI", "",
                     RTG_BY_STAMP, ""},
                    {"signal", "ns", "just before a signal to itself", "just after the wait for it",
                     "the first party, at the level HI", "", RTG_BY_STAMP, ""},
                    {"context-switch", "ns", "half of each round trip",
                     "minus the median of a signal to itself", "both parties", "", RTG_BY_HOST,
                     "half:round-trip less:signal"}},
         .run = run_test);
