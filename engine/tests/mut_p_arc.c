/* MUT-P-ARC: a lock with priority inheritance is asked for while a lower thread
 * holds it: the switch to that thread, and back when it lets go. */
#include "common/inversion.h"

enum { ACQUIRE, RELEASE };

static struct inversion scene;

static void lo(struct inversion *s)
{
    while (rtg_sem_acquire(&s->go_lo) == RTG_OK && !atomic_load(&s->over)) {
        rtg_mutex_lock(&s->mutex);
        atomic_store(&s->held, true);
        rtg_sem_release(&s->step); /* the scene is set; HI asks; then this goes on */
        rtg_stamp_t resumed = rtg_stamp_stop();
        note_stamp(&s->resumed, resumed);
        atomic_store(&s->held, false);
        rtg_dirty(s->run);
        note_stamp(&s->release, rtg_stamp_start());
        rtg_mutex_unlock(&s->mutex);
        rtg_sem_release(&s->step);
    }
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_mutex_spec spec = {.kind = RTG_MUTEX, .protocol = RTG_INHERIT};
    scene = (struct inversion){.run = run};
    if (rtg_is(run, "protocol", "protect"))
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          "with a ceiling HI cannot meet a held lock on one CPU");
    enum rtg_outcome outcome = inversion_start(&scene, run, &spec, lo, inversion_hi);
    if (outcome != RTG_DONE)
        return outcome;
    while (rtg_next(run)) {
        inversion_turn(&scene);
        if (!atomic_load(&scene.asked_held))
            rtg_broken(run, "HI did not meet a held lock");
        else if (atomic_load(&scene.shared))
            rtg_broken(run, "HI owned the lock while LO still held it");
        else if (atomic_load(&scene.mid_between))
            rtg_broken(run, "MID ran before HI owned the lock: nothing was inherited");
        else if (!atomic_load(&scene.mid_ran))
            rtg_broken(run, "MID was not ready, or LO went on before it after its release");
        rtg_record(run, ACQUIRE, stamp_of(&scene.request), stamp_of(&scene.resumed), 0);
        rtg_record(run, RELEASE, stamp_of(&scene.release), stamp_of(&scene.owned), 0);
    }
    inversion_end(&scene);
    return RTG_DONE;
}

RTG_TEST(.id = "MUT-P-ARC", .title = "Mutex with contention",
         .question = "How long does it take until the owner of a lock runs when a higher thread "
                     "asks for it, and until that thread runs when it is released?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {10000, 100000, 1000000},
         .about_ns = 30000, .about_ms = 20,
         .params = {{"protocol", RTG_CHOICE, "inherit", "inherit protect",
                     "how the lock avoids priority inversion"}},
         .series = {{"acquire", "ns", "HI, just before its request",
                     "LO, first thing when it runs again", "HI, then LO", "", RTG_BY_STAMP, ""},
                    {"release", "ns", "LO, just before its release",
                     "HI, first thing after its request returned", "LO, then HI", "", RTG_BY_STAMP,
                     ""}},
         .run = run_test);
