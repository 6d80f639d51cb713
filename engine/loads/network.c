/* Packets within the system, evenly spread over the time. */
#include "rtgauge/load.h"

enum { PERIOD_NS = 1000000, PIECES = 2 }; /* two packets in each piece */

static void run(struct rtg_load_worker *worker)
{
    rtg_load_service_paced(worker, RTG_SERVICE_PACKETS, PERIOD_NS, PIECES);
}

RTG_LOAD(.what = "TCP packets of 1 KB over the loopback", .degree = "4000 packets per second",
         .unit = "packets", .wanted = 4000, .run = run);
