/* SEM-P-ARC: 128 threads block on one semaphore and are released again. */
#include "common/contention.h"

static enum rtg_outcome run(struct rtg_run *run)
{
    return run_contention(run, (uint32_t)rtg_number(run, "waiters"));
}

RTG_TEST(.id = "SEM-P-ARC", .title = "semaphore acquire and release, contention",
         .question = "How long does it take to block on a semaphore, and to release its highest "
                     "waiter?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {5120, 51200, 512000},
         .about_ns = 20000, .about_ms = 50,
         .params = {PARAM_KIND,
                    PARAM_NAME("unnamed"),
                    {"waiters", RTG_NUMBER, "128", "4..1000",
                     "threads that block one by one, spread over the levels"}},
         .series = SERIES_CONTENTION(""), .run = run);
