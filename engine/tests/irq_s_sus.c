/* IRQ-S-SUS by a timer: the shortest period at which every expiry is served by itself.
 *
 * A periodic timer that is not waited for in time does not lose an interrupt: the OS
 * counts its expiries together. So this says how fast a thread can follow a timer, and
 * must not be ranked with sources that lose interrupts. */
#include "rtgauge/test.h"

enum {
    SEARCH = 1000, /* interrupts for each period of the search */
    SHORTEST_NS = 2000,
    LONGEST_NS = 20000000, /* no period is longer */
    SEARCH_MS = 1200,      /* the search ends with the best so far */
    MOST_ROWS = 24,
    LEAD_NS = 1000000,
    REFINE_S = 90, /* a candidate that takes longer is not tried */
};

struct row {
    uint64_t period, generated, serviced;
};

static struct search {
    struct rtg_run *run;
    struct row row[MOST_ROWS];
    uint32_t rows;
    uint64_t end;    /* of the search */
    uint64_t proven; /* ns; 0: none was */
    int error;
} search;

/* Lets the timer expire `n` times; the lateness of each service is recorded where that is
 * asked for. Gives up at the first coalesced expiry when only that matters. */
static struct row follow(uint64_t period, uint64_t n, bool record)
{
    struct row row = {.period = period};
    struct rtg_timer timer;
    uint64_t due = rtg_os_now() + LEAD_NS;
    search.error = rtg_timer_create(&timer, due, period);
    while (search.error == RTG_OK && row.generated < n && !rtg_halted(search.run)) {
        uint64_t expiries = 0;
        search.error = rtg_timer_wait(&timer, &expiries);
        uint64_t now = rtg_os_now();
        row.generated += expiries;
        row.serviced++;
        if (record)
            rtg_record(search.run, 0, (rtg_stamp_t)(due + (expiries - 1) * period),
                       (rtg_stamp_t)now, 0);
        due += expiries * period;
    }
    rtg_timer_destroy(&timer);
    if (search.rows < MOST_ROWS)
        search.row[search.rows++] = row;
    return row;
}

static bool clean(const struct row *row)
{
    return row->generated != 0 && row->generated == row->serviced;
}

/* Doubles the period until one is clean, then halves the interval between the last that
 * was not and that one, down to an eighth of it. 0: none was. */
static uint64_t find(void)
{
    uint64_t bad = SHORTEST_NS / 2, good = 0;
    for (uint64_t period = SHORTEST_NS; good == 0 && period <= LONGEST_NS; period *= 2) {
        struct row row = follow(period, SEARCH, false);
        if (search.error != RTG_OK || rtg_halted(search.run) || rtg_os_now() > search.end)
            return clean(&row) ? period : 0;
        if (clean(&row))
            good = period;
        else
            bad = period;
    }
    while (good != 0 && good - bad > good / 8 && rtg_os_now() < search.end) {
        uint64_t middle = bad + (good - bad) / 2;
        struct row row = follow(middle, SEARCH, false);
        if (search.error != RTG_OK || rtg_halted(search.run))
            break;
        if (clean(&row))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

/* The period found, or the next longer one, by as many interrupts as are wanted. */
static uint64_t prove(uint64_t period, uint64_t n)
{
    for (; period <= LONGEST_NS && period * n <= REFINE_S * 1000000000ull; period += period / 4) {
        search.run->series[0].count = 0;
        struct row row = follow(period, n, true);
        if (search.error != RTG_OK || rtg_halted(search.run))
            return 0;
        if (clean(&row))
            return period;
    }
    return 0;
}

static char *put_text(char *at, const char *text)
{
    while (*text != 0)
        *at++ = *text++;
    *at = 0;
    return at;
}

static char *put_number(char *at, const char *name, uint64_t number)
{
    char digits[24];
    int used = 0;
    at = put_text(at, name);
    do
        digits[used++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (used != 0)
        *at++ = digits[--used];
    *at = 0;
    return at;
}

static void tell(struct rtg_run *run)
{
    for (uint32_t i = 0; i < search.rows; i++) {
        const struct row *row = &search.row[i];
        char name[16], text[128];
        put_number(name, i < 9 ? "row 0" : "row ", i + 1);
        char *at = put_number(text, "period ", row->period);
        at = put_number(at, " ns, generated ", row->generated);
        at = put_number(at, ", serviced ", row->serviced);
        put_number(at, ", coalesced ", row->generated - row->serviced);
        rtg_evidence_text(run, name, text);
    }
    rtg_evidence_text(run, "ranked",
                      "never with lost interrupts: coalesced expiries of a timer are not lost");
    rtg_evidence_text(run, "level", "thread");
}

static void go(void *arg)
{
    struct rtg_run *run = arg;
    struct rtg_thread_state before;
    uint64_t n = rtg_samples(run), found = 0, proven = 0;
    search.end = rtg_os_now() + SEARCH_MS * 1000000ull;
    rtg_per_iteration(run, (uint32_t)n);
    rtg_watch_begin(run, &before);
    if (rtg_next(run))
        found = find();
    if (found != 0)
        proven = prove(found, n);
    rtg_watch_end(run, &before);
    search.proven = proven;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_thread thread;
    search = (struct search){.run = run};
    if (!rtg_spawn(run, &thread, rtg_role_level(RTG_HI), go, run))
        return rtg_unspawned(run);
    rtg_thread_join(&thread);
    if (search.error != RTG_OK)
        return rtg_error(run, search.error, "a periodic timer");
    tell(run);
    if (search.proven == 0)
        return rtg_reason(run, RTG_INCONCLUSIVE,
                          "at no period that was tried was every expiry served by itself");
    rtg_evidence(run, "shortest_period_ns", (int64_t)search.proven, "ns");
    rtg_evidence(run, "proven_by", (int64_t)rtg_samples(run), "");
    return RTG_DONE;
}

RTG_TEST(.id = "IRQ-S-SUS", .title = "Sustained frequency of a timer",
         .question = "What is the shortest period of a timer at which a thread serves every "
                     "expiry by itself?",
         .needs = RTG_NEEDS_REALTIME, .samples = {1000, 1000000, 1000000}, .about_ns = 30000,
         .about_ms = 1500,
         .params = {{"source", RTG_CHOICE, "timer-overrun", "timer-overrun",
                     "expiries of a timer, of which those that come too fast are counted "
                     "together"}},
         .series = {{"", "ns", "the time at which the expiry was due",
                     "the sleep clock, first thing after the wait", "a HI thread", "", RTG_BY_OS,
                     ""}},
         .run = run_test);
