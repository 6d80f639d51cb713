/* MUT-P-PIC: the price of inheritance. The same meeting of a high thread and a lower
 * owner, with a lock that lends the owner the level and with one that does not; an
 * owner of the same level, who needs no loan; and a lock that is taken again by its
 * owner. */
#include <stdatomic.h>

#include "common/roles.h"

enum { ACQUIRE, RELEASE };

static struct scene {
    struct rtg_run *run;
    struct rtg_mutex mutex;
    struct rtg_sem go_owner, go_asker, done;
    rtg_stamp_t asked, resumed, released, owned;
    atomic_bool held, met, over;
} scene;

static void own(void *arg)
{
    bool equal = arg != NULL;
    while (rtg_sem_acquire(&scene.go_owner) == RTG_OK && !atomic_load(&scene.over)) {
        rtg_mutex_lock(&scene.mutex);
        atomic_store(&scene.held, true);
        rtg_sem_release(&scene.go_asker);
        if (equal)
            rtg_thread_yield(); /* else the asker has run already */
        scene.resumed = rtg_stamp_stop();
        atomic_store(&scene.held, false);
        rtg_dirty(scene.run);
        scene.released = rtg_stamp_start();
        rtg_mutex_unlock(&scene.mutex);
        if (equal)
            rtg_thread_yield();
        rtg_sem_release(&scene.done);
    }
}

static void ask(void *arg)
{
    (void)arg;
    while (rtg_sem_acquire(&scene.go_asker) == RTG_OK && !atomic_load(&scene.over)) {
        atomic_store(&scene.met, atomic_load(&scene.held));
        scene.asked = rtg_stamp_start();
        rtg_mutex_lock(&scene.mutex);
        scene.owned = rtg_stamp_stop();
        rtg_mutex_unlock(&scene.mutex);
    }
}

static void meet(struct rtg_run *run)
{
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_sem_release(&scene.go_owner);
        rtg_sem_acquire(&scene.done);
        if (!atomic_load(&scene.met))
            rtg_broken(run, "the asking thread did not meet a held lock");
        rtg_record(run, ACQUIRE, scene.asked, scene.resumed, 0);
        rtg_record(run, RELEASE, scene.released, scene.owned, 0);
    }
}

static int make_gates(void)
{
    struct rtg_sem *gates[] = {&scene.go_owner, &scene.go_asker, &scene.done};
    for (unsigned i = 0; i < 3; i++) {
        int error = rtg_sem_create(gates[i], RTG_COUNTING, RTG_UNNAMED, 0);
        if (error != RTG_OK) {
            while (i > 0)
                rtg_sem_destroy(gates[--i]);
            return error;
        }
    }
    return RTG_OK;
}

static enum rtg_outcome meetings(struct rtg_run *run, bool equal)
{
    struct rtg_thread owner, asker;
    uint32_t hi = rtg_role_level(RTG_HI), level = equal ? hi : rtg_role_level(RTG_LO);
    int error = make_gates();
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a semaphore");
    bool has_owner = rtg_spawn(run, &owner, level, own, equal ? &scene : NULL);
    bool has_asker = has_owner && rtg_spawn(run, &asker, hi, ask, NULL);
    if (has_asker)
        meet(run);
    atomic_store(&scene.over, true);
    rtg_sem_release(&scene.go_owner);
    rtg_sem_release(&scene.go_asker);
    if (has_owner)
        rtg_thread_join(&owner);
    if (has_asker)
        rtg_thread_join(&asker);
    rtg_sem_destroy(&scene.go_owner);
    rtg_sem_destroy(&scene.go_asker);
    rtg_sem_destroy(&scene.done);
    return has_asker ? RTG_DONE : rtg_unspawned(run);
}

static enum rtg_outcome take_again(struct rtg_run *run)
{
    rtg_mutex_lock(&scene.mutex);
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        int error = rtg_mutex_lock(&scene.mutex);
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, ACQUIRE, start, stop, 0);
        rtg_dirty(run);
        rtg_stamp_t start_release = rtg_stamp_start();
        int error_release = rtg_mutex_unlock(&scene.mutex);
        rtg_stamp_t stop_release = rtg_stamp_stop();
        rtg_record(run, RELEASE, start_release, stop_release, 0);
        if (error != RTG_OK || error_release != RTG_OK)
            rtg_broken(run, "a recursive mutex could not be taken again by its owner");
    }
    rtg_mutex_unlock(&scene.mutex);
    return RTG_DONE;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    bool recursive = rtg_is(run, "case", "recursive");
    struct rtg_mutex_spec spec = {.kind = RTG_MUTEX,
                                  .protocol = rtg_is(run, "case", "no-inheritance") ? RTG_NONE
                                                                                    : RTG_INHERIT,
                                  .recursive = recursive};
    struct rtg_thread_state before;
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    scene = (struct scene){.run = run};
    int error = rtg_mutex_create(&scene.mutex, &spec);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating such a mutex");
    rtg_watch_begin(run, &before);
    enum rtg_outcome outcome =
        recursive ? take_again(run) : meetings(run, rtg_is(run, "case", "equal"));
    rtg_watch_end(run, &before);
    rtg_mutex_destroy(&scene.mutex);
    return outcome;
}

RTG_TEST(
        .id = "MUT-P-PIC", .title = "Price of inheritance",
        .question = "What does a lock that lends its owner the level of who waits cost more than "
                    "one that does not?",
        .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {5000, 50000, 500000},
        .about_ns = 25000, .about_ms = 10,
        .params = {{"case", RTG_CHOICE, "boost equal no-inheritance recursive",
                    "boost equal no-inheritance recursive",
                    "boost: a lower owner; equal: an owner of the same level, which yields; "
                    "no-inheritance: a lower owner and a plain lock; recursive: the owner itself"}},
        .series = {{"acquire", "ns", "just before the request",
                    "the owner, first thing when it runs again; recursive: just after the request",
                    "the asking thread at the level HI, then the owner", "", RTG_BY_STAMP, ""},
                   {"release", "ns", "the owner, just before its release",
                    "the asking thread, first thing after its request; recursive: just after the "
                    "release",
                    "the owner, then the asking thread", "", RTG_BY_STAMP, ""}},
        .run = run_test);
