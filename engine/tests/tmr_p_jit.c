/* TMR-P-JIT: a periodic timer against its own absolute due times. Expiries that the
 * system joined into one delivery are seen by the host as a gap between due times. */
#include "rtgauge/test.h"

#define LEAD_NS 20000000ull

static int start_timer(struct rtg_run *run, struct rtg_timer *timer, uint64_t first,
                       uint64_t period)
{
    return rtg_is(run, "delivery", "native") ? rtg_timer_create_native(timer, first, period)
                                             : rtg_timer_create(timer, first, period);
}

static uint64_t by_timer(struct rtg_run *run, struct rtg_timer *timer, uint64_t due,
                         uint64_t period)
{
    uint64_t overruns = 0;
    while (rtg_next(run)) {
        uint64_t expiries = 0;
        int error = rtg_timer_wait(timer, &expiries);
        uint64_t now = rtg_os_now();
        if (error != RTG_OK || expiries == 0) {
            rtg_broken(run, "the timer could not be waited for");
            break;
        }
        if (now + period <= due)
            rtg_broken(run, "the timer expired more often than its period allows");
        rtg_record(run, 0, (rtg_stamp_t)due, (rtg_stamp_t)now, (uint16_t)rtg_cpu_now());
        overruns += expiries - 1;
        due += expiries * period;
    }
    return overruns;
}

static uint64_t by_sleeping(struct rtg_run *run, uint64_t due, uint64_t period)
{
    uint64_t overruns = 0;
    while (rtg_next(run)) {
        rtg_sleep_until(due);
        uint64_t now = rtg_os_now();
        rtg_record(run, 0, (rtg_stamp_t)due, (rtg_stamp_t)now, (uint16_t)rtg_cpu_now());
        uint64_t behind = now > due ? (now - due) / period : 0;
        overruns += behind;
        due += (behind + 1) * period;
    }
    return overruns;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_thread_state before;
    struct rtg_timer timer;
    uint64_t period = rtg_number(run, "interval"), first = rtg_os_now() + LEAD_NS, overruns;
    bool sleeps = rtg_is(run, "delivery", "sleep");
    int error = sleeps ? RTG_OK : start_timer(run, &timer, first, period);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a periodic timer");
    rtg_watch_begin(run, &before);
    overruns = sleeps ? by_sleeping(run, first, period) : by_timer(run, &timer, first, period);
    rtg_watch_end(run, &before);
    if (!sleeps)
        rtg_timer_destroy(&timer);
    rtg_evidence(run, "overruns", (int64_t)overruns, "");
    return RTG_DONE;
}

RTG_TEST(.id = "TMR-P-JIT", .title = "Timer jitter",
         .question = "How far from its absolute due times does a periodic timer reach the thread "
                     "that waits for it?",
         .needs = RTG_NEEDS_REALTIME, .samples = {25, 250, 20000}, .about_ns = 1000000,
         .about_ms = 30,
         .params = {{"delivery", RTG_CHOICE, "signal native sleep", "signal native sleep",
                     "a timer that sends a signal, the OS's own kind of timer, absolute sleeps"},
                    {"interval", RTG_DURATION, "1ms 10ms 100ms", "100us..10s",
                     "period of the timer"}},
         .series = {{"", "ns", "the time at which the expiry was due",
                     "the sleep clock, first thing after the wait",
                     "the thread that waits, at the highest level allowed", "cpu", RTG_BY_OS,
                     "periodic extremes"}},
         .run = run_test);
