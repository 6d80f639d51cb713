/* SMP-P-SCL: pairs of threads that each use a semaphore, a mutex or a queue of their own
 * at the same time. All pairs do the same number of turns; the time until the last has
 * done them gives the throughput, each turn by itself the latency. */
#include <stdatomic.h>

#include "common/pair_services.h"
#include "common/two_cpus.h"

enum { PAIRS = 8 };

static struct pair pair[PAIRS];

static struct scene {
    struct rtg_run *run;
    struct rtg_sem done; /* by each thread at the end of its batch */
    const struct service *service;
    uint32_t pairs, made;
    atomic_bool over;
    _Atomic uint32_t errors;
} scene;

/* ---- the threads ----------------------------------------------------------- */

static void note(int errors)
{
    if (errors != RTG_OK)
        atomic_fetch_add(&scene.errors, 1);
    rtg_sem_release(&scene.done);
}

static void do_turns(void *arg)
{
    struct pair *p = arg;
    const struct service *service = scene.service;
    while (rtg_sem_acquire(&p->go_one) == RTG_OK && !atomic_load(&scene.over)) {
        int errors = 0;
        for (uint32_t i = 0; i < BATCH; i++) {
            if (service->before != NULL)
                service->before(p);
            p->start[i] = rtg_stamp_start();
            errors |= service->turn(p);
            p->stop[i] = rtg_stamp_stop();
        }
        note(errors);
    }
}

static void do_other(void *arg)
{
    struct pair *p = arg;
    while (rtg_sem_acquire(&p->go_other) == RTG_OK && !atomic_load(&scene.over))
        note(scene.service->other(p));
}

/* ---- the batches ----------------------------------------------------------- */

static void let_go(void)
{
    for (uint32_t i = 0; i < scene.pairs; i++) {
        rtg_sem_release(&pair[i].go_other);
        rtg_sem_release(&pair[i].go_one);
    }
}

static void wait_for_all(void)
{
    for (uint32_t i = 0; i < 2 * scene.pairs; i++)
        rtg_sem_acquire(&scene.done);
}

static void measure(struct rtg_run *run)
{
    rtg_per_iteration(run, scene.pairs * BATCH);
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t start = rtg_stamp_start();
        let_go();
        wait_for_all();
        rtg_stamp_t stop = rtg_stamp_stop();
        rtg_record(run, 1, start, stop, 0);
        for (uint32_t i = 0; i < scene.pairs; i++) {
            for (uint32_t k = 0; k < BATCH; k++)
                rtg_record(run, 0, pair[i].start[k], pair[i].stop[k], (uint16_t)i);
        }
        if (atomic_load(&scene.errors) != 0)
            rtg_broken(run, "a call of the service failed");
    }
    rtg_evidence(run, "turns", (int64_t)scene.pairs * BATCH, "");
}

/* ---- making and ending the pairs ------------------------------------------- */

static bool spawn(struct pair *p, struct rtg_thread *t, rtg_entry entry, uint32_t nth)
{
    bool same = rtg_is(scene.run, "cpus", "same");
    struct rtg_thread_spec spec = {.entry = entry,
                                   .arg = p,
                                   .policy = RTG_FIFO,
                                   .level = rtg_role_level(RTG_HI),
                                   .cpu = same ? rtg_test_cpu() : nth_cpu(nth)};
    return rtg_spawn_as(scene.run, t, &spec);
}

static int make_gates(struct pair *p)
{
    int error = rtg_sem_create(&p->go_one, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        return error;
    error = rtg_sem_create(&p->go_other, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        rtg_sem_destroy(&p->go_one);
    return error;
}

static void drop_gates(struct pair *p)
{
    rtg_sem_destroy(&p->go_one);
    rtg_sem_destroy(&p->go_other);
}

static int make_objects(struct pair *p)
{
    int error = make_gates(p);
    if (error != RTG_OK)
        return error;
    error = scene.service->make(p);
    if (error != RTG_OK)
        drop_gates(p);
    return error;
}

static void end_pair(struct pair *p)
{
    rtg_sem_release(&p->go_one);
    rtg_thread_join(&p->one);
    rtg_sem_release(&p->go_other);
    rtg_thread_join(&p->other);
    scene.service->drop(p);
    drop_gates(p);
}

/* A pair of which the second thread is missing ends at once. */
static bool start_pair(struct pair *p, uint32_t number)
{
    if (!spawn(p, &p->one, do_turns, 2 * number))
        return false;
    if (spawn(p, &p->other, do_other, 2 * number + 1))
        return true;
    atomic_store(&scene.over, true);
    rtg_sem_release(&p->go_one);
    rtg_thread_join(&p->one);
    return false;
}

static enum rtg_outcome play(struct rtg_run *run)
{
    enum rtg_outcome outcome = RTG_DONE;
    int error = RTG_OK;
    for (; scene.made < scene.pairs && error == RTG_OK && outcome == RTG_DONE; scene.made++) {
        struct pair *p = &pair[scene.made];
        error = make_objects(p);
        if (error == RTG_OK && !start_pair(p, scene.made)) {
            outcome = rtg_unspawned(run);
            scene.service->drop(p);
            drop_gates(p);
        }
        if (error != RTG_OK || outcome != RTG_DONE)
            break;
    }
    if (error == RTG_OK && outcome == RTG_DONE)
        measure(run);
    atomic_store(&scene.over, true);
    while (scene.made > 0)
        end_pair(&pair[--scene.made]);
    return error == RTG_OK ? outcome : rtg_error(run, error, "creating the objects of a pair");
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    scene = (struct scene){.run = run, .pairs = (uint32_t)rtg_number(run, "pairs")};
    for (unsigned i = 0; i < sizeof services / sizeof *services; i++) {
        if (rtg_is(run, "service", services[i].name))
            scene.service = &services[i];
    }
    if (rtg_is(run, "cpus", "different") && rtg_cpu_count() < 2)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "needs two CPUs, and this process may use one");
    int error = rtg_sem_create(&scene.done, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a semaphore");
    enum rtg_outcome outcome = play(run);
    rtg_sem_destroy(&scene.done);
    return outcome;
}

RTG_TEST(.id = "SMP-P-SCL", .title = "Services in parallel",
         .question = "How do throughput and latency of a service change with the number of pairs "
                     "of threads that use it at the same time?",
         .needs = RTG_NEEDS_REALTIME, .samples = {4096, 65536, 1048576}, .about_ns = 12000,
         .about_ms = 10,
         .params = {{"service", RTG_CHOICE, "semaphore mutex queue", "semaphore mutex queue",
                     "a signal and its answer; lock and unlock of a mutex that the other holds "
                     "and gives up when asked; a message and its answer"},
                    {"pairs", RTG_NUMBER, "1 2 4 8", "1..8",
                     "pairs of threads, each with objects of its own"},
                    {"cpus", RTG_CHOICE, "same different", "same different",
                     "all threads on the CPU under test, or the two of each pair on two CPUs"}},
         .series = {{"turn", "ns", "just before the turn of a pair", "just after it",
                     "the first thread of each pair, at the level HI", "pair", RTG_BY_STAMP, ""},
                    {"batch", "ns", "just before the first pair is let go",
                     "when the last thread has told that it did its turns", "the test's own thread",
                     "", RTG_BY_STAMP, ""},
                    {"rate", "1/s", "the turns of a batch", "divided by its time", "all", "",
                     RTG_BY_HOST, "frequency:batch"}},
         .run = run_test);
