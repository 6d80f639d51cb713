/* CLK-P-DUR: how long the processing of a clock tick takes.
 *
 * A high thread does a fixed amount of work over and over; a turn that the tick
 * interrupts is longer by what the tick takes. */
#include <stdatomic.h>

#include "common/os_tick.h"
#include "common/roles.h"
#include "common/semaphore.h"

enum {
    TICKS_WATCHED = 16,
    LOOPS_PER_TICK = 40,
    READY_THREADS = 400,
    STRETCH_NS = 500000000, /* of samples; before each, everybody else gets the CPU, ... */
    PAUSE_NS = 60000000,    /* ... so that the system does not take it by force */
    TIMER_NS = 1000000000,
    TIMER_FIRST_NS = 250000000
};

struct scene {
    struct rtg_run *run;
    uint32_t rounds; /* of rtg_work in a sample */

    /* `queued`: threads that are ready and must never run while samples are taken */
    struct rtg_thread *ready;
    uint32_t wanted, made;
    atomic_uint ran;

    /* `timer`: a periodic timer and the low thread that owns it */
    struct rtg_thread owner;
    struct rtg_sem started;
    uint64_t first_ns; /* first expiry; UINT64_MAX without a timer */
    int timer_error;
    atomic_bool over;
    uint64_t seen; /* expiries that the owner was told of */
};

/* ---- the timed loop --------------------------------------------------------- */

static uint64_t expiries_until(const struct scene *s, uint64_t now)
{
    return now < s->first_ns ? 0 : (now - s->first_ns) / TIMER_NS + 1;
}

/* Samples until the stretch is over; false when there are enough. */
static bool take_stretch(struct scene *s)
{
    uint64_t before = rtg_os_now(), end = before + STRETCH_NS;
    while (rtg_next(s->run)) {
        before = rtg_os_now();
        rtg_stamp_t start = rtg_stamp_start();
        rtg_work(s->rounds);
        rtg_stamp_t stop = rtg_stamp_stop();
        uint64_t after = rtg_os_now();
        rtg_record(s->run, 0, start, stop,
                   (uint16_t)(expiries_until(s, after) - expiries_until(s, before)));
        if (after > end)
            return true;
    }
    return false;
}

/* ---- the variants ----------------------------------------------------------- */

static void note_running(void *arg)
{
    atomic_fetch_add(&((struct scene *)arg)->ran, 1);
}

static void fill_queue(struct scene *s)
{
    atomic_store(&s->ran, 0);
    for (s->made = 0; s->made < s->wanted; s->made++) {
        uint32_t level = rtg_role_level(s->made % 2 == 0 ? RTG_LO : RTG_MID);
        if (!rtg_spawn(s->run, &s->ready[s->made], level, note_running, s)) {
            rtg_broken(s->run, "not all threads of the ready queue could be created");
            return;
        }
    }
}

/* That all run once they may proves that they were there and ready. */
static void empty_queue(struct scene *s)
{
    if (atomic_load(&s->ran) != 0)
        rtg_broken(s->run, "a ready thread of a lower level ran while samples were taken");
    for (uint32_t i = 0; i < s->made; i++)
        rtg_thread_join(&s->ready[i]);
    if (atomic_load(&s->ran) != s->made)
        rtg_broken(s->run, "not every thread of the ready queue ran in the end");
}

static void own_timer(void *arg)
{
    struct scene *s = arg;
    struct rtg_timer timer;
    uint64_t expiries;
    uint64_t first = rtg_os_now() + TIMER_FIRST_NS;
    s->timer_error = rtg_timer_create(&timer, first, TIMER_NS);
    s->first_ns = first;
    rtg_sem_release(&s->started);
    if (s->timer_error != RTG_OK)
        return;
    while (!atomic_load(&s->over) && rtg_timer_wait(&timer, &expiries) == RTG_OK)
        s->seen += expiries;
    rtg_timer_destroy(&timer);
}

static int start_timer(struct scene *s)
{
    int error = make_gate(&s->started);
    if (error != RTG_OK)
        return error;
    if (rtg_spawn(s->run, &s->owner, rtg_role_level(RTG_LO), own_timer, s)) {
        rtg_sem_acquire(&s->started);
        if (s->timer_error != RTG_OK)
            rtg_thread_join(&s->owner);
    } else {
        s->timer_error = RTG_EFULL;
    }
    rtg_sem_destroy(&s->started);
    return s->timer_error;
}

/* The owner ends at the next expiry. What it was told must agree with the times at
 * which the timer should have expired, from which the samples are marked. */
static void stop_timer(struct scene *s)
{
    atomic_store(&s->over, true);
    rtg_thread_join(&s->owner);
    uint64_t due = expiries_until(s, rtg_os_now());
    rtg_evidence(s->run, "timer_expiries", (int64_t)s->seen, "");
    if (s->seen != due)
        rtg_broken(s->run, "the timer did not expire as often as it was due");
}

/* ---- the test --------------------------------------------------------------- */

static void measure(struct scene *s)
{
    struct rtg_thread_state before;
    bool more = true;
    while (more) {
        rtg_sleep_for(PAUSE_NS);
        fill_queue(s);
        rtg_watch_begin(s->run, &before);
        more = take_stretch(s);
        rtg_watch_end(s->run, &before);
        empty_queue(s);
    }
}

static enum rtg_outcome prepare(struct scene *s)
{
    struct os_tick tick;
    size_t bytes = READY_THREADS * sizeof *s->ready;
    int error = watch_os_tick(&tick, TICKS_WATCHED);
    if (error != RTG_OK)
        return rtg_error(s->run, error, "watching the clock tick");
    rtg_self_level(s->run, rtg_role_level(RTG_HI));
    s->rounds = rtg_work_rounds(tick.period_ns / LOOPS_PER_TICK);
    rtg_evidence(s->run, "tick_ns", (int64_t)tick.period_ns, "ns");
    rtg_evidence(s->run, "ticks_watched", tick.watched, "");
    rtg_evidence(s->run, "loop_rounds", s->rounds, "");
    if (rtg_is(s->run, "clock-variant", "queued")) {
        s->ready = rtg_scratch(s->run, &bytes);
        s->wanted = READY_THREADS;
        rtg_evidence(s->run, "ready_threads", READY_THREADS, "");
        if (s->ready == NULL || bytes < READY_THREADS * sizeof *s->ready)
            return rtg_reason(s->run, RTG_NOT_SUPPORTED, "there is no memory for so many threads");
    }
    return RTG_DONE;
}

static enum rtg_outcome run(struct rtg_run *run)
{
    struct scene s = {.run = run, .first_ns = UINT64_MAX};
    bool timer = rtg_is(run, "clock-variant", "timer");
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    enum rtg_outcome outcome = prepare(&s);
    if (outcome != RTG_DONE)
        return outcome;
    int error = timer ? start_timer(&s) : RTG_OK;
    if (error != RTG_OK)
        return rtg_error(run, error, "creating the timer");
    measure(&s);
    if (timer)
        stop_timer(&s);
    return RTG_DONE;
}

RTG_TEST(.id = "CLK-P-DUR", .title = "clock tick processing duration",
         .question = "How long does the processing of a clock tick take?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {20000, 100000, 1000000},
         .about_ns = 110000, .about_ms = 1500,
         .params =
             {{"clock-variant", RTG_CHOICE, "plain queued timer", "plain queued timer",
               "queued: 400 lower threads are ready; timer: a low thread owns a timer of 1 s"}},
         .series = {{"", "ns", "before a fixed amount of work, a fortieth of a tick long",
                     "after it", "the thread at the level HI",
                     "expiries of the timer that were due between the stamps", RTG_BY_STAMP,
                     "ticks"}},
         .run = run);
