/* NSE-S-SPN: not of the catalogue, and built on request only (as ../selftest/spinner among the
 * tests). Spins for ever at the highest level, for the proof that nothing of ours can hang a
 * machine: in the test's own thread; on all CPUs that this process may use; or on all of them,
 * each before a lower thread that arms the watchdog over and over. */
#include "common/roles.h"

enum { MOST = 256 };

static struct rtg_thread spinner[MOST], armer[MOST];

static void spin(void *unused)
{
    (void)unused;
    for (;;)
        rtg_cpu_relax();
}

static void arm(void *unused)
{
    (void)unused;
    for (;;)
        rtg_watchdog(UINT64_C(3600000000000));
}

static bool spawn_on(struct rtg_run *run, struct rtg_thread *threads, uint32_t level,
                     rtg_entry entry)
{
    for (uint32_t i = 0; i < rtg_cpu_count() && i < MOST; i++) {
        struct rtg_thread_spec spec = {
            .entry = entry, .policy = RTG_FIFO, .level = level, .cpu = (int32_t)rtg_cpu_at(i)};
        if (!rtg_spawn_as(run, &threads[i], &spec))
            return false;
    }
    return true;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    if (rtg_is(run, "on", "arming")) {
        if (!spawn_on(run, armer, 0, arm))
            return rtg_unspawned(run);
        rtg_sleep_for(20000000); /* now they arm it, on all CPUs at once */
    }
    if (!rtg_is(run, "on", "one") && !spawn_on(run, spinner, rtg_level_count() - 1, spin))
        return rtg_unspawned(run);
    spin(NULL);
    return RTG_DONE;
}

RTG_TEST(.id = "NSE-S-SPN", .title = "A thread that never ends",
         .question =
             "Does a thread that spins for ever at the highest level leave the machine usable?",
         .needs = RTG_NEEDS_REALTIME, .samples = {1, 1, 1}, .about_ns = 1, .about_ms = 1,
         .params = {{"on", RTG_CHOICE, "one all arming", "one all arming", "where it spins"}},
         .run = run_test);
