/* sustained.h - IRQ-S-SUS: series of interrupts at one period after the other.
 *
 * Periods of sources that count on by themselves have no common factor with a tick of whole
 * microseconds, so that a series comes at every phase of it. */
#ifndef RTGAUGE_TESTS_SUSTAINED_H
#define RTGAUGE_TESTS_SUSTAINED_H

#include "irq.h"

enum {
    SEARCH = 1000, /* interrupts for each period of the search */
    SHORTEST_NS = 2000,
    LONGEST_NS = 20000000, /* no period is longer */
    SEARCH_MS = 1200,      /* the search ends with the best so far */
    MOST_ROWS = 24,
    LEAD_NS = 1000000,
    REFINE_S = 90, /* a candidate that takes longer is not tried */
    DRAINED = 128, /* marks that are fetched together; the source keeps more ... */
    SPARE = 8,     /* ... so they may be late by so many periods */
};

struct row {
    uint64_t period, generated, serviced;
};

struct search {
    struct rtg_run *run;
    bool by_timer, by_handler;
    struct irq_scene scene; /* of a source that is no timer */
    struct row row[MOST_ROWS];
    uint32_t rows;
    uint64_t end;    /* of the search */
    uint64_t proven; /* ns; 0: none was */
    uint64_t marks_lost;
    int error;
};

static inline bool clean(const struct row *row)
{
    return row->generated != 0 && row->generated == row->serviced;
}

static inline void record_lateness(struct search *s, uint64_t due, uint64_t came)
{
    rtg_record(s->run, 0, (rtg_stamp_t)due, (rtg_stamp_t)came, 0);
}

/* ---- one series ---------------------------------------------------------------- */

/* Each follows a source for `n` interrupts. The lateness of each service is recorded where
 * that is asked for; then the first that is not in time ends the series. */

static inline void follow_timer(struct search *s, struct row *row, uint64_t n, bool record)
{
    struct rtg_timer timer;
    uint64_t due = rtg_os_now() + LEAD_NS;
    s->error = rtg_timer_create(&timer, due, row->period);
    while (s->error == RTG_OK && row->generated < n && !rtg_halted(s->run)) {
        uint64_t expiries = 0;
        s->error = rtg_timer_wait(&timer, &expiries);
        uint64_t now = rtg_os_now();
        row->generated += expiries;
        row->serviced++;
        if (record)
            record_lateness(s, due + (expiries - 1) * row->period, now);
        due += expiries * row->period;
    }
    rtg_timer_destroy(&timer);
}

static inline void follow_by_thread(struct search *s, struct row *row, uint64_t n, bool record)
{
    struct rtg_irq_count count = {.done = false};
    uint64_t first = rtg_os_now() + LEAD_NS, waited = 0;
    s->error = rtg_irq_repeat(s->scene.index, first, row->period, n);
    while (s->error == RTG_OK && !count.done && !rtg_halted(s->run)) {
        s->error = rtg_irq_wait(s->scene.index);
        uint64_t now = rtg_os_now();
        waited++;
        if (s->error == RTG_OK)
            s->error = rtg_irq_count(s->scene.index, &count);
        uint64_t before = row->generated;
        row->generated = count.generated;
        row->serviced += count.generated == before + 1;
        if (record && row->serviced != row->generated)
            break;
        if (record)
            record_lateness(s, first + (waited - 1) * row->period, now);
    }
}

/* Fetches the marks of `n` from number `from` on. */
static inline void drain(struct search *s, uint64_t first, uint64_t period, uint64_t from,
                         uint32_t n, struct tick_rate rate)
{
    uint64_t lost = 0;
    for (uint32_t i = 0; i < n; i++)
        s->scene.mark[i].due_ns = first + (from + i) * period;
    s->error = rtg_irq_marks(s->scene.index, s->scene.mark, n, &lost);
    s->marks_lost += lost;
    rtg_stamp_t origin = rtg_stamp_at(s->run, s->scene.mark[0].due_ns);
    for (uint32_t i = 0; i < n && s->error == RTG_OK; i++) {
        const struct rtg_irq_mark *mark = &s->scene.mark[i];
        rtg_stamp_t due = origin + (rtg_stamp_t)ticks_of_ns(rate, i * period);
        rtg_stamp_t entry = (rtg_stamp_t)mark->entry;
        if (mark->entry == 0)
            continue;
        if (irq_past(s->scene.clock, entry, due))
            record_lateness(s, mark->due_ns,
                            mark->due_ns +
                                ns_of_ticks(rate, ticks_between(s->scene.clock, due, entry)));
        else /* by no more than the clocks' own steps */
            record_lateness(s, mark->due_ns, mark->due_ns);
    }
}

static inline void follow_by_handler(struct search *s, struct row *row, uint64_t n, bool record)
{
    struct rtg_irq_count count = {.done = false};
    struct tick_rate rate = measure_tick_rate(s->scene.clock);
    uint64_t first, ended = 0, before;
    s->marks_lost = 0;
    rtg_irq_marks(s->scene.index, s->scene.mark, 0, &before); /* of earlier series: forgotten */
    first = rtg_os_now() + LEAD_NS;
    s->error = rtg_irq_repeat(s->scene.index, first, row->period, n);
    while (s->error == RTG_OK && ended < n && !rtg_halted(s->run)) {
        uint32_t part = (uint32_t)(n - ended < DRAINED ? n - ended : DRAINED);
        rtg_sleep_until(first + (ended + part + SPARE) * row->period);
        if (record)
            drain(s, first, row->period, ended, part, rate);
        ended += part;
        if (s->error == RTG_OK)
            s->error = rtg_irq_count(s->scene.index, &count);
        row->generated = count.generated;
        row->serviced = count.serviced;
        if (record && row->serviced != row->generated)
            break;
    }
    for (int i = 0; i < 100 && s->error == RTG_OK && ended == n && !count.done; i++) {
        rtg_sleep_for(LEAD_NS);
        s->error = rtg_irq_count(s->scene.index, &count);
        row->generated = count.generated;
        row->serviced = count.serviced;
    }
}

static inline struct row follow(struct search *s, uint64_t period, uint64_t n, bool record)
{
    struct row row = {.period = period};
    if (s->by_timer)
        follow_timer(s, &row, n, record);
    else if (s->by_handler)
        follow_by_handler(s, &row, n, record);
    else
        follow_by_thread(s, &row, n, record);
    if (s->rows < MOST_ROWS)
        s->row[s->rows++] = row;
    return row;
}

/* ---- the search ----------------------------------------------------------------- */

/* The next period from this one on that a series may have. */
static inline uint64_t usable(const struct search *s, uint64_t period)
{
    if (s->by_timer)
        return period;
    for (period |= 1; period % 5 == 0;)
        period += 2;
    return period;
}

/* Doubles the period until one is clean, then halves the interval between the last that
 * was not and that one, down to an eighth of it. 0: none was. */
static inline uint64_t find_period(struct search *s)
{
    uint64_t bad = SHORTEST_NS / 2, good = 0;
    for (uint64_t period = SHORTEST_NS; good == 0 && period <= LONGEST_NS; period *= 2) {
        struct row row = follow(s, usable(s, period), SEARCH, false);
        if (s->error != RTG_OK || rtg_halted(s->run) || rtg_os_now() > s->end)
            return clean(&row) ? row.period : 0;
        if (clean(&row))
            good = row.period;
        else
            bad = row.period;
    }
    while (good != 0 && good - bad > good / 8 && rtg_os_now() < s->end) {
        struct row row = follow(s, usable(s, bad + (good - bad) / 2), SEARCH, false);
        if (s->error != RTG_OK || rtg_halted(s->run) || row.period >= good)
            break;
        if (clean(&row))
            good = row.period;
        else
            bad = row.period;
    }
    return good;
}

/* The period found, or the next longer one, by as many interrupts as are wanted. */
static inline uint64_t prove_period(struct search *s, uint64_t period, uint64_t n)
{
    for (; period <= LONGEST_NS && period * n <= REFINE_S * 1000000000ull;
         period = usable(s, period + period / 4)) {
        s->run->series[0].count = 0;
        struct row row = follow(s, period, n, true);
        if (s->error != RTG_OK || rtg_halted(s->run))
            return 0;
        if (clean(&row) && row.generated == n)
            return period;
    }
    return 0;
}

/* ---- texts ---------------------------------------------------------------------- */

static inline char *put_text(char *at, const char *text)
{
    while (*text != 0)
        *at++ = *text++;
    *at = 0;
    return at;
}

static inline char *put_number(char *at, const char *name, uint64_t number)
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

#endif
