// SPDX-License-Identifier: GPL-2.0
/* The kernel's own high-resolution timer: there on every machine, but its interrupt is also that of
 * the OS's other timers, and the kernel decides when it is programmed. */
#include <linux/hrtimer.h>
#include <linux/version.h>

#include "source.h"

static struct hrtimer timer;
static struct source *owner;

static enum hrtimer_restart expired(struct hrtimer *unused)
{
    source_fired(owner, source_stamp(owner));
    return HRTIMER_NORESTART;
}

static int arm(struct source *s, u64 due_ns)
{
    if (due_ns <= ktime_get_mono_fast_ns())
        return -ETIME;
    hrtimer_start(&timer, ns_to_ktime(due_ns), HRTIMER_MODE_ABS_PINNED_HARD);
    return 0;
}

static void disarm(struct source *s)
{
    hrtimer_cancel(&timer);
}

static int setup(struct source *s)
{
    owner = s;
    s->uncertainty_ns = 1;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
    hrtimer_setup(&timer, expired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
#else
    hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
    timer.function = expired;
#endif
    return 0;
}

static void teardown(struct source *s)
{
    hrtimer_cancel(&timer);
}

const struct source_ops source_hrtimer = {
    .name = "hrtimer",
    .about = "a timer of the kernel's; stamps in its function",
    .shares_tick = true,
    .setup = setup,
    .teardown = teardown,
    .arm = arm,
    .disarm = disarm,
};
