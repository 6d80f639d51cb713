/* Looks up one entry after the other in a tree of folders. */
#include "rtgauge/load.h"

static void run(struct rtg_load_worker *worker)
{
    rtg_load_service_endless(worker, RTG_SERVICE_SEARCH);
}

RTG_LOAD(.what = "a tree of 16 folders and 1024 files walked again and again",
         .degree = "continuous", .unit = "entries", .run = run);
