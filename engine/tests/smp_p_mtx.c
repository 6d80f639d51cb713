/* SMP-P-MTX: a mutex with priority inheritance goes from its owner on one CPU to a
 * thread that waits for it on another. */
#include <stdatomic.h>

#include "common/two_cpus.h"

enum { TO_BLOCK_NS = 20000 }; /* from the announcement of a request until it surely waits */

static struct scene {
    struct rtg_run *run;
    struct rtg_mutex mutex;
    struct rtg_sem ask;
    rtg_stamp_t owned;
    atomic_bool asking, over;
    _Atomic uint32_t turns;
    uint32_t free; /* requests that met no owner */
} scene;

static void ask_and_own(void *arg)
{
    struct rtg_thread_state before;
    (void)arg;
    rtg_watch_begin(scene.run, &before);
    while (rtg_sem_acquire(&scene.ask) == RTG_OK && !atomic_load(&scene.over)) {
        if (rtg_mutex_try(&scene.mutex) == RTG_OK) {
            scene.free++;
            rtg_mutex_unlock(&scene.mutex);
        }
        atomic_store(&scene.asking, true);
        rtg_mutex_lock(&scene.mutex);
        scene.owned = rtg_stamp_stop();
        rtg_mutex_unlock(&scene.mutex);
        atomic_fetch_add(&scene.turns, 1);
    }
    rtg_watch_end(scene.run, &before);
}

static void pass_on(struct rtg_run *run, uint16_t cpu)
{
    uint32_t turns = 0;
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_mutex_lock(&scene.mutex);
        atomic_store(&scene.asking, false);
        rtg_sem_release(&scene.ask);
        while (!atomic_load(&scene.asking) && !rtg_halted(run))
            rtg_cpu_relax();
        rtg_spin(TO_BLOCK_NS);
        rtg_stamp_t start = rtg_stamp_start();
        rtg_mutex_unlock(&scene.mutex);
        turns++;
        while (atomic_load(&scene.turns) != turns && !rtg_halted(run))
            rtg_cpu_relax();
        if (atomic_load(&scene.turns) == turns)
            rtg_record(run, 0, start, scene.owned, cpu);
    }
    if (scene.free > 0)
        rtg_broken(run, "the mutex was free when the thread on the other CPU asked for it");
}

static enum rtg_outcome play(struct rtg_run *run)
{
    struct rtg_thread thread;
    if (!spawn_there(run, &thread, RTG_FIFO, rtg_role_level(RTG_HI), ask_and_own))
        return rtg_unspawned(run);
    pass_on(run, (uint16_t)other_cpu());
    atomic_store(&scene.over, true);
    rtg_sem_release(&scene.ask);
    rtg_thread_join(&thread);
    return RTG_DONE;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_mutex_spec spec = {.kind = RTG_MUTEX, .protocol = RTG_INHERIT};
    scene = (struct scene){.run = run};
    enum rtg_outcome outcome = RTG_DONE;
    int error = rtg_mutex_create(&scene.mutex, &spec);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a mutex with inheritance");
    error = rtg_sem_create(&scene.ask, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error == RTG_OK) {
        outcome = play(run);
        rtg_sem_destroy(&scene.ask);
    }
    rtg_mutex_destroy(&scene.mutex);
    return error == RTG_OK ? outcome : rtg_error(run, error, "creating a semaphore");
}

RTG_TEST(.id = "SMP-P-MTX", .title = "Mutex across CPUs",
         .question = "How long does it take from the release of a mutex on one CPU until the "
                     "thread that waits for it on another owns it?",
         .needs = RTG_NEEDS_REALTIME | RTG_NEEDS_TWO_CPUS | RTG_TURN_BY_TURN,
         .samples = {5000, 50000, 500000}, .about_ns = 70000, .about_ms = 10,
         .series = {{"", "ns", "the owner, just before its release, on the CPU under test",
                     "the waiting thread, first thing after its request, on the other CPU",
                     "the owner, then the new owner", "cpu", RTG_BY_STAMP, ""}},
         .run = run_test);
