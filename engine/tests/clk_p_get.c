/* CLK-P-GET: how long the clock takes to be read, and how long the kernel keeps a
 * thread from reading it. */
#include "rtgauge/test.h"

enum { STRETCH = 1000 }; /* intervals without a gap between them */

static void read_by_syscall(void *unused)
{
    (void)unused;
    rtg_time_of_day_syscall();
}

static void read_by_user(void *unused)
{
    (void)unused;
    rtg_time_of_day_user();
}

/* The name of the path must be true: no figure without proof. */
static enum rtg_outcome prove_path(struct rtg_run *run, bool syscall)
{
    bool entered = false;
    const char *how = NULL;
    void (*op)(void *) = syscall ? read_by_syscall : read_by_user;
    rtg_evidence_kernel(run, "kernel_entered_read", op, NULL);
    if (rtg_kernel_entered(op, NULL, &entered, &how) != RTG_OK)
        return rtg_reason(run, RTG_INCONCLUSIVE,
                          "it cannot be found out here whether the read enters the kernel");
    if (entered == syscall)
        return RTG_DONE;
    if (syscall)
        return rtg_reason(run, RTG_INVALID, "the read by system call did not enter the kernel");
    return rtg_reason(run, RTG_NOT_SUPPORTED, "the clock cannot be read here without the kernel");
}

/* One function for each path, so that the timed path has no branch for it. The
 * intervals follow each other without a gap: wherever the kernel holds the thread
 * up, it falls into one of them. */
static void measure_syscall(struct rtg_run *run)
{
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t last = rtg_stamp_stop();
        for (uint32_t i = 0; i < STRETCH; i++) {
            rtg_time_of_day_syscall();
            rtg_stamp_t now = rtg_stamp_stop();
            rtg_record(run, 0, last, now, 0);
            last = now;
        }
    }
}

static void measure_user(struct rtg_run *run)
{
    uint64_t (*read)(void) = rtg_time_of_day_user;
    while (rtg_next(run)) {
        rtg_breathe(run);
        rtg_stamp_t last = rtg_stamp_stop();
        for (uint32_t i = 0; i < STRETCH; i++) {
            read();
            rtg_stamp_t now = rtg_stamp_stop();
            rtg_record(run, 0, last, now, 0);
            last = now;
        }
    }
}

static enum rtg_outcome run(struct rtg_run *run)
{
    struct rtg_thread_state before;
    bool syscall = rtg_is(run, "path", "syscall");
    if (!syscall && rtg_time_of_day_user == NULL)
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          "the clock cannot be read here without the kernel");
    if (rtg_time_of_day_syscall() == 0)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "this system knows no time of day");
    rtg_per_iteration(run, STRETCH);
    rtg_self_level(run, rtg_role_level(RTG_HI));
    rtg_watch_begin(run, &before);
    if (syscall)
        measure_syscall(run);
    else
        measure_user(run);
    rtg_watch_end(run, &before);
    return prove_path(run, syscall); /* last: the port may copy the process for it */
}

RTG_TEST(.id = "CLK-P-GET", .title = "clock read and kernel blocking",
         .question = "How long does reading the time of day take, and how long can the kernel "
                     "hold up a high thread that reads it?",
         .needs = RTG_NEEDS_REALTIME, .samples = {500000, 5000000, 50000000}, .about_ns = 400,
         .about_ms = 20,
         .params = {{"path", RTG_CHOICE, "syscall user", "syscall user",
                     "syscall: every read enters the kernel; user: none does"}},
         .series = {{"", "ns", "after a read of the time of day",
                     "after the next read: one interval ends where the next begins",
                     "the only thread, at the level HI", "", RTG_BY_STAMP, "blocking"}},
         .run = run);
