/* Memory taken from the heap and given back. */
#include "rtgauge/load.h"

static void run(struct rtg_load_worker *worker)
{
    rtg_load_service_bursts(worker, RTG_SERVICE_MEMORY, RTG_LOAD_COMPUTES);
}

RTG_LOAD(.what = "blocks of 16 B to 64 KB allocated, written and given back",
         .degree = "10 ms of work every 100 ms, on each CPU that loads may use", RTG_LOAD_BURSTS,
         .where = RTG_LOAD_EVERY_CPU, .run = run);
