/* IRQ-P-TLT: a LO thread reads stamps; the handler of an interrupt releases one of the
 * threads that wait for it, all higher and of one level. */
#include "common/irq.h"
#include "common/roles.h"

enum { MOST = 128, BUSY = 16, FEWER = 24, TRIES = 4000, TRY_NS = 500000 };

static struct {
    struct irq_scene scene;
    struct rtg_thread waiter[MOST];
    uint32_t n;
    atomic_uint round, served, ended; /* rounds count from 1 */
    _Atomic rtg_stamp_t woken;
    rtg_stamp_t stop[RTG_IRQ_BATCH];
    bool thread; /* from the thread's last stamp, not from the end of the handler */
} play;

static void wait_for_it(void *arg)
{
    (void)arg;
    for (;;) {
        int error = rtg_irq_wait(play.scene.index);
        rtg_stamp_t stop = rtg_stamp_stop();
        if (error != RTG_OK)
            break;
        if (atomic_load(&play.served) != atomic_load(&play.round)) {
            atomic_store(&play.woken, stop);
            atomic_store(&play.served, atomic_load(&play.round));
        }
    }
    atomic_fetch_add(&play.ended, 1);
}

static void take(uint32_t n)
{
    struct irq_scene *s = &play.scene;
    for (uint32_t i = 0; i < n; i++) {
        if (!irq_is_pure(s, i, s->seen[i].woken))
            continue;
        rtg_stamp_t start = play.thread ? s->seen[i].last : (rtg_stamp_t)s->mark[i].exit;
        rtg_record(s->run, 0, start, s->seen[i].woken, (uint16_t)play.n);
    }
}

/* Where the source makes all waiters ready, each interrupt leaves many events behind. */
static void interrupt_lo(void *arg)
{
    struct irq_scene *s = &play.scene;
    (void)arg;
    irq_prepare(s);
    s->batch = play.n > BUSY ? FEWER : RTG_IRQ_BATCH;
    rtg_per_iteration(s->run, s->batch);
    for (uint32_t left = rtg_samples(s->run); left > 0 && rtg_next(s->run);) {
        uint32_t n = left < s->batch ? left : s->batch;
        rtg_breathe(s->run);
        for (uint32_t i = 0; i < n && !rtg_halted(s->run); i++) {
            uint32_t round = atomic_fetch_add(&play.round, 1) + 1;
            irq_catch(s, i, &play.served, round);
            s->seen[i].woken = atomic_load(&play.woken);
        }
        left -= n;
        if (!irq_collect(s, n))
            break;
        take(n);
    }
}

/* Each turn ends one waiter at least. */
static void end_waiters(struct rtg_run *run, uint32_t made)
{
    for (uint32_t i = 0; i < TRIES && atomic_load(&play.ended) < made; i++) {
        rtg_irq_cancel(play.scene.index);
        rtg_sleep_for(TRY_NS);
    }
    if (atomic_load(&play.ended) < made)
        rtg_broken(run, "a thread that waits for an interrupt could not be ended");
    for (uint32_t i = 0; i < made; i++)
        rtg_thread_join(&play.waiter[i]);
}

static enum rtg_outcome perform(struct rtg_run *run)
{
    struct rtg_thread lo;
    uint32_t made = 0;
    bool begun;
    while (made < play.n &&
           rtg_spawn(run, &play.waiter[made], rtg_role_level(RTG_MID), wait_for_it, NULL))
        made++;
    rtg_sleep_for(TRY_NS);
    begun = made == play.n && rtg_spawn(run, &lo, rtg_role_level(RTG_LO), interrupt_lo, NULL);
    if (begun)
        rtg_thread_join(&lo);
    end_waiters(run, made);
    return begun ? irq_tell(&play.scene) : rtg_unspawned(run);
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    enum rtg_outcome outcome = irq_open(&play.scene, run, IRQ_ONLY);
    if (outcome != RTG_DONE)
        return outcome;
    play.n = (uint32_t)rtg_number(run, "waiters");
    play.thread = rtg_is(run, "from", "thread");
    atomic_store(&play.round, 0);
    atomic_store(&play.served, 0);
    atomic_store(&play.ended, 0);
    if (irq_has_level(&play.scene)) {
        outcome = perform(run);
        rtg_evidence_text(run, "released_by_the_handler",
                          play.scene.source.wakes_all
                              ? "every waiter, of which the first one that runs is served"
                              : "one waiter");
    } else {
        outcome = rtg_reason(run, RTG_NOT_SUPPORTED, IRQ_OTHER_LEVEL);
    }
    rtg_irq_close(play.scene.index);
    return outcome;
}

RTG_TEST(.id = "IRQ-P-TLT", .title = "Interrupt to thread",
         .question = "How long does it take from the end of an interrupt's handler until the "
                     "thread that it released runs?",
         .needs = RTG_NEEDS_REALTIME, .samples = {240, 2400, 50000}, .about_ns = 1500000,
         .about_ms = 400,
         .params = {IRQ_PARAM_SOURCE,
                    {"from", RTG_CHOICE, "handler", "handler thread",
                     "the end of the handler, or the last stamp of the interrupted thread"},
                    {"waiters", RTG_NUMBER, "1 10 128", "1..128",
                     "threads of one level that wait for the same object"},
                    IRQ_PARAM_LEVEL},
         .series = {{"", "ns", "the end of the handler, or the interrupted thread's last stamp",
                     "first thing in the thread that was released",
                     "the handler or a LO thread, then a higher one", "waiters", RTG_BY_STAMP,
                     "extremes"}},
         .run = run_test);
