/* SMP-P-WAK: a signal on one CPU to a thread that waits on another. */
#include <stdatomic.h>

#include "common/two_cpus.h"

enum { TO_BLOCK_NS = 20000 }; /* from the waiter's answer until it surely waits again */

static struct scene {
    struct rtg_run *run;
    struct rtg_sem go;
    rtg_stamp_t woke;
    _Atomic uint32_t wakes;
    atomic_bool over;
} scene;

static void wait_for_signals(void *arg)
{
    struct rtg_thread_state before;
    (void)arg;
    rtg_watch_begin(scene.run, &before);
    while (rtg_sem_acquire(&scene.go) == RTG_OK) {
        scene.woke = rtg_stamp_stop();
        if (atomic_load(&scene.over))
            break;
        atomic_fetch_add(&scene.wakes, 1);
    }
    rtg_watch_end(scene.run, &before);
}

static void work_beside(void *arg)
{
    (void)arg;
    while (!atomic_load(&scene.over))
        rtg_spin(100000);
}

static void signal_across(struct rtg_run *run, uint16_t cpu)
{
    uint32_t wakes = 0;
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_spin(TO_BLOCK_NS);
        rtg_stamp_t start = rtg_stamp_start();
        rtg_sem_release(&scene.go);
        wakes++;
        while (atomic_load(&scene.wakes) != wakes && !rtg_halted(run))
            rtg_cpu_relax();
        if (atomic_load(&scene.wakes) == wakes)
            rtg_record(run, 0, start, scene.woke, cpu);
    }
}

static enum rtg_outcome play(struct rtg_run *run)
{
    struct rtg_thread waiter, neighbour;
    int32_t cpu = other_cpu();
    bool busy = rtg_is(run, "other", "busy"), working = true;
    if (!spawn_there(run, &waiter, RTG_FIFO, rtg_role_level(RTG_HI), wait_for_signals))
        return rtg_unspawned(run);
    if (busy)
        working = spawn_there(run, &neighbour, RTG_NORMAL, 0, work_beside);
    if (working)
        signal_across(run, (uint16_t)cpu);
    atomic_store(&scene.over, true);
    rtg_sem_release(&scene.go);
    rtg_thread_join(&waiter);
    if (busy && working)
        rtg_thread_join(&neighbour);
    return working ? RTG_DONE : rtg_unspawned(run);
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    scene = (struct scene){.run = run};
    int error = rtg_sem_create(&scene.go, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a semaphore");
    enum rtg_outcome outcome = play(run);
    rtg_sem_destroy(&scene.go);
    return outcome;
}

RTG_TEST(
        .id = "SMP-P-WAK", .title = "Wake-up across CPUs",
        .question = "How long does it take from a signal on one CPU until the thread that waits "
                    "for it on another runs?",
        .needs = RTG_NEEDS_REALTIME | RTG_NEEDS_TWO_CPUS | RTG_TURN_BY_TURN,
        .samples = {5000, 50000, 500000}, .about_ns = 60000, .about_ms = 10,
        .params = {{"other", RTG_CHOICE, "idle busy", "idle busy",
                    "what the other CPU does meanwhile: nothing, or a thread of the normal class"}},
        .series = {{"", "ns", "just before the signal, on the CPU under test",
                    "first thing after the wait, on the other CPU",
                    "the signalling thread, then the waiting one, at the level HI", "cpu",
                    RTG_BY_STAMP, ""}},
        .run = run_test);
