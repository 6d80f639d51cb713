/* System calls that only ask. */
#include "rtgauge/load.h"

static void run(struct rtg_load_worker *worker)
{
    rtg_load_service_bursts(worker, RTG_SERVICE_CALLS, RTG_LOAD_COMPUTES);
}

RTG_LOAD(.what = "utility system calls",
         .degree = "10 ms of calls every 100 ms, on each CPU "
                   "that loads may use",
         RTG_LOAD_BURSTS, .where = RTG_LOAD_EVERY_CPU, .run = run);
