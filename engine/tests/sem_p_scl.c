/* SEM-P-SCL: what a semaphore costs as more threads wait for it. */
#include "common/contention.h"

static enum rtg_outcome run(struct rtg_run *run)
{
    return run_contention(run, (uint32_t)rtg_number(run, "waiters"));
}

RTG_TEST(.id = "SEM-P-SCL", .title = "semaphore cost against the number of waiters",
         .question = "Do acquire and release take longer the more threads wait for the semaphore?",
         .needs = RTG_NEEDS_REALTIME | RTG_TURN_BY_TURN, .samples = {5100, 51000, 510000},
         .about_ns = 20000, .about_ms = 100,
         .params = {PARAM_KIND,
                    PARAM_NAME("unnamed"),
                    {"waiters", RTG_NUMBER, "255", "4..1000",
                     "most threads that wait at once; every number from 1 up is measured"}},
         .series = SERIES_CONTENTION("slope"), .run = run);
