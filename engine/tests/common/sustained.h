/* sustained.h - IRQ-S-SUS: series of interrupts at one period after the other.
 *
 * Periods of sources that count on by themselves have no common factor with a tick of whole
 * microseconds, so that a long series comes at every phase of it. Beside it the proof is a
 * sweep: short series, of which one begins in each part of the tick, at a place that a
 * seeded generator chooses. Where time is exact a repeat would prove nothing, and this does. */
#ifndef RTGAUGE_TESTS_SUSTAINED_H
#define RTGAUGE_TESTS_SUSTAINED_H

#include "irq.h"
#include "texts.h"

enum {
    SEARCH = 1000,         /* interrupts for each period of the search */
    SHORTEST_NS = 2000,    /* where the search begins ... */
    LEAST_NS = 100,        /* ... and what it never goes below */
    LONGEST_NS = 20000000, /* no period is longer */
    SEARCH_MS = 1200,      /* the search is no more refined then */
    LOSING_NS = 20000000,  /* a series of the search that has lost ends then */
    SWEEP = 32,            /* interrupts in each series of the sweep */
    MOST_ROWS = 24,
    LEAD_NS = 1000000,
    REFINE_S = 90,   /* a candidate beyond the first that takes longer is not tried ... */
    REFINE_MORE = 2, /* ... unless by no more than this the first one's time */
    DRAINED = 128,   /* marks that are fetched together; the source keeps more ... */
    SPARE = 8,       /* ... so they may be late by so many periods */
};

enum { LATENESS, SHORTEST_PERIOD }; /* what is recorded: the series of the test */

struct row {
    uint64_t period, generated, serviced;
};

struct search {
    struct rtg_run *run;
    bool by_timer, by_handler;
    struct irq_scene scene; /* of a source that is no timer ... */
    struct tick_rate rate;  /* ... and of its clock */
    struct row row[MOST_ROWS];
    uint32_t rows;
    uint64_t end;    /* of the search */
    uint64_t proven; /* ns; 0: none was */
    uint64_t marks_lost;
    uint64_t begin;           /* of the next series; 0: soon */
    uint64_t first;           /* due time of the last series' first interrupt */
    uint64_t dither;          /* state of the generator */
    uint64_t tick_ns, phases; /* bit p: an interrupt of the proof came at phase p of the tick */
    uint32_t swept;           /* series of the sweep that lost nothing */
    int error;
};

static inline bool clean(const struct row *row)
{
    return row->generated != 0 && row->generated == row->serviced;
}

static inline void record_lateness(struct search *s, uint64_t due, uint64_t came)
{
    rtg_record(s->run, LATENESS, (rtg_stamp_t)due, (rtg_stamp_t)came, 0);
}

/* ---- one series ---------------------------------------------------------------- */

static inline uint64_t begin_series(struct search *s)
{
    s->first = s->begin != 0 ? s->begin : rtg_os_now() + LEAD_NS;
    s->begin = 0;
    return s->first;
}

/* Whether a series that is not `clean` has shown enough. */
static inline bool gives_up(const struct search *s, const struct row *row, bool record)
{
    return row->serviced != row->generated && (record || rtg_os_now() - s->first > LOSING_NS);
}

/* Each follows a source for `n` interrupts. The lateness of each service is recorded where
 * that is asked for; then the first that is not in time ends the series. */

/* `n` interrupts from where the series is to begin, or from whole ticks later where the system
 * kept the asking thread so long that this was over. */
static inline uint64_t repeat(struct search *s, uint64_t period, uint64_t n)
{
    begin_series(s);
    s->error = rtg_irq_repeat(s->scene.index, s->first, period, n);
    while (irq_again(&s->scene, s->error)) {
        uint64_t soon = rtg_os_now() + LEAD_NS;
        while (s->first < soon)
            s->first += s->tick_ns != 0 ? s->tick_ns : LEAD_NS;
        s->error = rtg_irq_repeat(s->scene.index, s->first, period, n);
    }
    return s->first;
}

static inline void follow_timer(struct search *s, struct row *row, uint64_t n, bool record)
{
    struct rtg_timer timer;
    uint64_t due = begin_series(s);
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
    uint64_t first = repeat(s, row->period, n), waited = 0;
    while (s->error == RTG_OK && !count.done && !rtg_halted(s->run)) {
        s->error = rtg_irq_wait(s->scene.index);
        uint64_t now = rtg_os_now();
        waited++;
        if (s->error == RTG_OK)
            s->error = rtg_irq_count(s->scene.index, &count);
        uint64_t before = row->generated;
        row->generated = count.generated;
        row->serviced += count.generated == before + 1;
        if (gives_up(s, row, record))
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
        rtg_stamp_t due =
            stamp_after(s->scene.clock, origin, (rtg_stamp_t)ticks_of_ns(rate, i * period));
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
    uint64_t first, ended = 0, before;
    s->marks_lost = 0;
    rtg_irq_marks(s->scene.index, s->scene.mark, 0, &before); /* of earlier series: forgotten */
    first = repeat(s, row->period, n);
    while (s->error == RTG_OK && ended < n && !rtg_halted(s->run)) {
        uint32_t part = (uint32_t)(n - ended < DRAINED ? n - ended : DRAINED);
        rtg_sleep_until(first + (ended + part + SPARE) * row->period);
        if (record)
            drain(s, first, row->period, ended, part, s->rate);
        ended += part;
        if (s->error == RTG_OK)
            s->error = rtg_irq_count(s->scene.index, &count);
        row->generated = count.generated;
        row->serviced = count.serviced;
        if (gives_up(s, row, record))
            break;
    }
    for (int i = 0; i < 100 && s->error == RTG_OK && ended == n && !count.done; i++) {
        rtg_sleep_for(LEAD_NS);
        s->error = rtg_irq_count(s->scene.index, &count);
        row->generated = count.generated;
        row->serviced = count.serviced;
    }
}

static inline void note_row(struct search *s, const struct row *row)
{
    if (s->rows < MOST_ROWS)
        s->row[s->rows++] = *row;
}

static inline struct row follow_quietly(struct search *s, uint64_t period, uint64_t n, bool record)
{
    struct row row = {.period = period};
    if (s->by_timer)
        follow_timer(s, &row, n, record);
    else if (s->by_handler)
        follow_by_handler(s, &row, n, record);
    else
        follow_by_thread(s, &row, n, record);
    return row;
}

static inline struct row follow(struct search *s, uint64_t period, uint64_t n, bool record)
{
    struct row row = follow_quietly(s, period, n, record);
    note_row(s, &row);
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

/* Doubles the period until one is clean, or halves it until one is not. 0: none was clean;
 * *bad: the longest that was not, 0 where all were. */
static inline uint64_t find_bounds(struct search *s, uint64_t *bad)
{
    uint64_t good = 0, period = SHORTEST_NS;
    for (*bad = 0; (good == 0 || *bad == 0) && period >= LEAST_NS && period <= LONGEST_NS;) {
        struct row row = follow(s, usable(s, period), SEARCH, false);
        if (clean(&row))
            good = row.period;
        else
            *bad = row.period;
        if (s->error != RTG_OK || rtg_halted(s->run))
            break;
        period = clean(&row) ? period / 2 : period * 2;
    }
    return good;
}

/* Halves the interval between the shortest clean period and the longest that is not, down to
 * an eighth of the former. 0: none was clean. */
static inline uint64_t find_period(struct search *s)
{
    uint64_t bad, good = find_bounds(s, &bad);
    while (bad != 0 && good != 0 && good - bad > good / 8 && rtg_os_now() < s->end &&
           s->error == RTG_OK && !rtg_halted(s->run)) {
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

/* Notes the phases of the tick at which `n` interrupts of the last series were due. */
static inline void visit(struct search *s, uint64_t period, uint64_t n)
{
    uint64_t at = s->tick_ns == 0 ? 0 : s->first % s->tick_ns;
    for (uint64_t i = 0; s->tick_ns != 0 && i < n && s->phases != UINT64_MAX; i++) {
        s->phases |= (uint64_t)1 << at * IRQ_PHASES / s->tick_ns;
        at = (at + period) % s->tick_ns;
    }
}

/* Somewhere in part `part` of a tick to come. */
static inline uint64_t in_phase(struct search *s, uint32_t part)
{
    uint64_t soon = rtg_os_now() + LEAD_NS, width = s->tick_ns / IRQ_PHASES;
    s->dither ^= s->dither << 13;
    s->dither ^= s->dither >> 7;
    s->dither ^= s->dither << 17;
    uint64_t at = part * s->tick_ns / IRQ_PHASES + s->dither % width;
    return soon - soon % s->tick_ns + at + (at < soon % s->tick_ns ? s->tick_ns : 0);
}

/* True where there is nothing to sweep over, or no series lost an interrupt. */
static inline bool sweep_phases(struct search *s, uint64_t period)
{
    s->swept = 0;
    for (uint32_t part = 0; part < IRQ_PHASES && s->tick_ns >= IRQ_PHASES && !s->by_timer; part++) {
        s->begin = in_phase(s, part);
        struct row row = follow_quietly(s, period, SWEEP, false);
        if (s->error != RTG_OK || rtg_halted(s->run))
            return false;
        if (!clean(&row) || row.generated != SWEEP) {
            note_row(s, &row);
            return false;
        }
        visit(s, period, SWEEP);
        s->swept++;
    }
    return true;
}

/* The period found, or the next longer one, by as many interrupts as are wanted in a row and
 * by the sweep. */
static inline uint64_t prove_period(struct search *s, uint64_t period, uint64_t n)
{
    uint64_t most = REFINE_S * 1000000000ull, first = REFINE_MORE * period * n;
    most = first > most ? first : most;
    for (; period <= LONGEST_NS && period * n <= most; period = usable(s, period + period / 4)) {
        s->run->series[0].count = 0;
        s->phases = 0;
        struct row row = follow(s, period, n, true);
        if (s->error != RTG_OK || rtg_halted(s->run))
            return 0;
        if (!clean(&row) || row.generated != n)
            continue;
        visit(s, period, n);
        if (sweep_phases(s, period))
            return period;
        if (s->error != RTG_OK || rtg_halted(s->run))
            return 0;
    }
    return 0;
}

#endif
