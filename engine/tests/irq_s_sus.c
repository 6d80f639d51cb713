/* IRQ-S-SUS: the shortest period at which every interrupt is served by itself.
 *
 * A periodic timer that is not waited for in time does not lose an interrupt: the OS
 * counts its expiries together. So that says how fast a thread can follow a timer, and
 * must not be ranked with sources that lose interrupts. */
#include "common/sustained.h"

static struct search search;

static void put_row(struct rtg_run *run, uint32_t i)
{
    const struct row *row = &search.row[i];
    char name[16], text[128];
    put_number(name, i < 9 ? "row 0" : "row ", i + 1);
    char *at = put_number(text, "period ", row->period);
    at = put_number(at, " ns, generated ", row->generated);
    at = put_number(at, ", serviced ", row->serviced);
    put_number(at, search.by_timer ? ", coalesced " : ", lost ", row->generated - row->serviced);
    rtg_evidence_text(run, name, text);
}

static void tell(struct rtg_run *run)
{
    for (uint32_t i = 0; i < search.rows; i++)
        put_row(run, i);
    if (search.by_timer)
        rtg_evidence_text(run, "ranked",
                          "never with lost interrupts: coalesced expiries of a timer are not lost");
    else
        rtg_evidence_text(run, "lost",
                          search.by_handler ? "the handler had not ended when the next one was due"
                                            : "the thread had not run when the next one was due");
    rtg_evidence_text(run, "level", search.by_handler ? "handler" : "thread");
    irq_tell_late(&search.scene);
    if (search.marks_lost != 0)
        rtg_evidence(run, "marks_lost", (int64_t)search.marks_lost, "");
}

static void go(void *arg)
{
    struct rtg_run *run = arg;
    struct rtg_thread_state before;
    uint64_t n = rtg_samples(run), found = 0, proven = 0;
    struct os_tick tick = {.period_ns = 0};
    if (search.by_handler)
        search.rate = measure_tick_rate(search.scene.clock);
    if (watch_os_tick(&tick, IRQ_TICKS) == RTG_OK)
        search.tick_ns = tick.period_ns;
    search.end = rtg_os_now() + SEARCH_MS * 1000000ull;
    rtg_per_iteration(run, (uint32_t)n);
    rtg_watch_begin(run, &before);
    if (rtg_next(run))
        found = find_period(&search);
    if (found != 0)
        proven = prove_period(&search, found, n);
    rtg_watch_end(run, &before);
    search.proven = proven;
}

/* How many phases of the tick the interrupts of the proof came at. */
static void tell_phases(struct rtg_run *run)
{
    uint32_t phases = 0;
    if (search.tick_ns == 0)
        return;
    for (int i = 0; i < IRQ_PHASES; i++)
        phases += search.phases >> i & 1;
    rtg_evidence(run, "tick_phases_visited", phases, "");
    rtg_evidence(run, "tick_phases_told_apart", IRQ_PHASES, "");
    if (!search.by_timer)
        rtg_evidence(run, "series_begun_in_own_phase", search.swept, "");
}

static enum rtg_outcome judge(struct rtg_run *run)
{
    if (search.error == RTG_ENOSUP && !search.by_timer)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "this source makes no series of interrupts");
    if (search.error != RTG_OK)
        return rtg_error(run, search.error, "a periodic source");
    tell(run);
    if (search.proven == 0)
        return rtg_reason(run, RTG_INCONCLUSIVE,
                          "at no period that was tried was every interrupt served by itself");
    rtg_evidence(run, "shortest_period_ns", (int64_t)search.proven, "ns");
    rtg_record(run, SHORTEST_PERIOD, 0, (rtg_stamp_t)search.proven, 0);
    rtg_evidence(run, "proven_by", (int64_t)rtg_samples(run), "");
    tell_phases(run);
    return RTG_DONE;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_thread thread;
    enum rtg_outcome outcome = RTG_DONE;
    search = (struct search){.run = run,
                             .by_timer = rtg_is(run, "source", "timer-overrun"),
                             .dither = 88172645463325252u};
    search.by_handler = rtg_is(run, "level", "handler");
    if (search.by_timer && search.by_handler)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "a timer is served by a thread here");
    if (!search.by_timer)
        outcome = irq_open(&search.scene, run, IRQ_ONLY);
    if (outcome != RTG_DONE)
        return outcome;
    if (rtg_spawn(run, &thread, rtg_role_level(RTG_HI), go, run)) {
        rtg_thread_join(&thread);
        outcome = judge(run);
    } else {
        outcome = rtg_unspawned(run);
    }
    if (!search.by_timer)
        rtg_irq_close(search.scene.index);
    return outcome;
}

RTG_TEST(.id = "IRQ-S-SUS", .title = "Sustained interrupt frequency",
         .question = "What is the shortest period of a source at which every interrupt is "
                     "served by itself?",
         .needs = RTG_NEEDS_REALTIME, .samples = {1000, 1000000, 1000000}, .about_ns = 30000,
         .about_ms = 1500,
         .params = {{"source", RTG_CHOICE, "timer-overrun",
                     "timer-overrun timer hpet counter hrtimer",
                     "expiries of a timer, of which those that come too fast are counted "
                     "together; or a source whose interrupts are lost then"},
                    {"level", RTG_CHOICE, "thread", "thread handler", "what must be in time"}},
         .series = {{"", "ns", "the time at which the interrupt was due",
                     "first thing in the thread after the wait, or in the handler",
                     "a HI thread or the handler", "", RTG_BY_OS, ""},
                    {"shortest-period", "ns", "one interrupt of the series that proves it",
                     "the next one, each being served by itself", "the source", "", RTG_BY_OS, ""}},
         .run = run_test);
