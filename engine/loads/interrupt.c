/* Interrupts of a timer. One that comes while the last was not yet noticed is not counted:
 * systems may not make it. */
#include "rtgauge/load.h"

enum { PERIOD_NS = 1000000 };

static int wait_for_one(void *timer, uint64_t *units)
{
    uint64_t expiries;
    *units = 1;
    return rtg_timer_wait(timer, &expiries);
}

static void run(struct rtg_load_worker *worker)
{
    struct rtg_timer timer;
    int error = rtg_timer_create(&timer, rtg_os_now() + PERIOD_NS, PERIOD_NS);
    if (error != RTG_OK) {
        rtg_load_failed(worker, error, "creating its timer");
        return;
    }
    rtg_load_endless(worker, wait_for_one, &timer);
    rtg_timer_destroy(&timer);
}

RTG_LOAD(.what = "interrupts of a timer of its own", .degree = "1000 interrupts per second",
         .unit = "interrupts", .wanted = 1000, .run = run);
