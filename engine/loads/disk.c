/* Writes to a file in the engine's folder, each forced to the medium. */
#include "rtgauge/load.h"

static void run(struct rtg_load_worker *worker)
{
    rtg_load_service_bursts(worker, RTG_SERVICE_FILES, RTG_LOAD_WAITS);
}

RTG_LOAD(.what = "blocks of 4 KB written to a file, each forced to the medium",
         .degree = "10 ms of writing every 100 ms, at the speed that the medium had at the start",
         RTG_LOAD_BURSTS, .run = run);
