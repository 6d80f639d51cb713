/* MUT-P-INV: one whole priority inversion, with work that must not count. */
#include "common/inversion.h"

static struct inversion scene;

/* LO's hold time is zero in one loop and spun in the other, so that the timed
 * path does not ask which. */
static void lo(struct inversion *s)
{
    while (rtg_sem_acquire(&s->go_lo) == RTG_OK && !atomic_load(&s->over)) {
        rtg_mutex_lock(&s->mutex);
        rtg_dirty(s->run);
        note_stamp(&s->acquired, rtg_stamp_start());
        atomic_store(&s->held, true);
        rtg_sem_release(&s->step); /* the scene is set; HI asks; then this goes on */
        atomic_store(&s->held, false);
        rtg_mutex_unlock(&s->mutex);
        rtg_sem_release(&s->step);
    }
}

static void lo_working(struct inversion *s)
{
    while (rtg_sem_acquire(&s->go_lo) == RTG_OK && !atomic_load(&s->over)) {
        rtg_mutex_lock(&s->mutex);
        rtg_dirty(s->run);
        note_stamp(&s->acquired, rtg_stamp_start());
        atomic_store(&s->held, true);
        rtg_sem_release(&s->step);
        rtg_spin(s->hold_ns);
        atomic_store(&s->held, false);
        rtg_mutex_unlock(&s->mutex);
        rtg_sem_release(&s->step);
    }
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    bool inherit = rtg_is(run, "protocol", "inherit");
    bool from_low = rtg_is(run, "from", "low-acquire");
    struct rtg_mutex_spec spec = {.kind = rtg_is(run, "kind", "native") ? RTG_NATIVE : RTG_MUTEX,
                                  .protocol = inherit ? RTG_INHERIT : RTG_NONE};
    scene = (struct inversion){.hold_ns = rtg_number(run, "hold"),
                               .mid_ns = rtg_number(run, "mid-work")};
    enum rtg_outcome outcome =
        inversion_start(&scene, run, &spec, scene.hold_ns == 0 ? lo : lo_working,
                        from_low ? inversion_hi_within : inversion_hi);
    if (outcome != RTG_DONE)
        return outcome;
    int64_t between = 0;
    while (rtg_next(run)) {
        inversion_turn(&scene);
        if (!atomic_load(&scene.asked_held))
            rtg_broken(run, "HI did not meet a held lock");
        else if (atomic_load(&scene.shared))
            rtg_broken(run, "HI owned the lock while LO still held it");
        else if (!atomic_load(&scene.mid_ran))
            rtg_broken(run, "MID was not ready, or LO went on before it after its release");
        else if (inherit && atomic_load(&scene.mid_between))
            rtg_broken(run, "MID ran before HI owned the lock: nothing was inherited");
        between += atomic_load(&scene.mid_between);
        rtg_record(run, 0, stamp_of(from_low ? &scene.acquired : &scene.request),
                   stamp_of(&scene.owned), 0);
    }
    rtg_evidence(run, "inversions_with_mid_between", between, "");
    inversion_end(&scene);
    return RTG_DONE;
}

RTG_TEST(.id = "MUT-P-INV", .title = "Whole priority inversion",
         .question = "How long does a whole priority inversion take, and does the work of a "
                     "bystander stay out of it?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {100, 1000, 10000},
         .about_ns = 5000000, .about_ms = 20,
         .params = {{"kind", RTG_CHOICE, "mutex native", "mutex native",
                     "the POSIX mutex, or the OS's own lock"},
                    {"protocol", RTG_CHOICE, "inherit", "inherit none",
                     "how the lock avoids priority inversion"},
                    {"from", RTG_CHOICE, "request low-acquire", "request low-acquire",
                     "where the sample begins; low-acquire: what sets the scene is in it"},
                    {"mid-work", RTG_DURATION, "0us 10ms", "0us..100ms",
                     "work of MID, which must not be in the result"},
                    {"hold", RTG_DURATION, "0us", "0us..100ms",
                     "work of LO under the lock, which is in the result"}},
         .series = {{"", "ns",
                     "from=request: HI, just before its request; from=low-acquire: LO, as soon as "
                     "it holds the lock",
                     "HI, first thing after its request returned", "HI; LO, then HI", "",
                     RTG_BY_STAMP, ""}},
         .run = run_test);
