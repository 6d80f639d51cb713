/* Arithmetic as the old synthetic benchmarks do it: on integers, and on floating point
 * numbers in variables, an array and a function. */
#include "rtgauge/load.h"
#include "rtgauge/test.h"

enum { INTEGER_ROUNDS = 20000, ROUNDS = 1000 };

static double shift(double x, double y)
{
    return (x + y) * 0.499975;
}

static int compute(void *kept, uint64_t *units)
{
    double e[4] = {1.0, -1.0, -1.0, -1.0}, t = 0.499975;
    rtg_work(INTEGER_ROUNDS);
    for (int i = 0; i < ROUNDS; i++) {
        e[i & 3] = (e[0] + e[1] + e[2] - e[3]) * t;
        e[3] = shift(e[3], e[i & 1]);
    }
    *(volatile double *)kept = e[0] + e[1] + e[2] + e[3];
    *units = 1;
    return RTG_OK;
}

static void run(struct rtg_load_worker *worker)
{
    double kept;
    rtg_load_bursts(worker, compute, &kept, RTG_LOAD_COMPUTES);
}

RTG_LOAD(.what = "arithmetic on integers and floating point numbers",
         .degree = "10 ms of work every 100 ms, on each CPU that loads may use", RTG_LOAD_BURSTS,
         .where = RTG_LOAD_EVERY_CPU, .run = run);
