/* SPDX-License-Identifier: GPL-2.0 */
/* What every source has in common. A source counts on by itself, whatever the CPUs do. */
#ifndef RTGAUGE_SOURCE_H
#define RTGAUGE_SOURCE_H

#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/swait.h>

#include "rtgauge_irq.h"

#define SOURCE_RECORDS 1024u /* a power of two */

struct source;

struct source_ops {
    const char *name;
    const char *about;
    bool shares_tick;
    /* -ENODEV: there is no such thing on this machine. */
    int (*setup)(struct source *s);
    void (*teardown)(struct source *s);
    /* Lets the interrupts come to this CPU; NULL where they do anyway. May sleep. */
    int (*route)(struct source *s, unsigned int cpu);
    /* One interrupt at due_ns, on this CPU. -ETIME: too late for that. In any context. */
    int (*arm)(struct source *s, u64 due_ns);
    void (*disarm)(struct source *s);
};

struct source {
    const struct source_ops *ops;
    struct miscdevice device;
    char path[24];
    atomic_t users;
    unsigned int cpu; /* that the interrupts come to */
    u64 uncertainty_ns;

    raw_spinlock_t lock; /* of all below */
    u64 due_ns;          /* of the interrupt that is armed; 0: none is */
    u64 hold_ns;
    u64 period_ns, left; /* of a series */
    u64 generated, serviced;
    u32 stamp;
    u32 written; /* records, counted up */
    u64 lost;
    struct rtgauge_irq_mark record[SOURCE_RECORDS];
    struct mutex reading; /* of `taken`: the records up to there are gone */
    u32 taken;

    struct swait_queue_head waiters;
    bool fired;
    bool cancelled;
};

/* First thing in a handler. */
u64 source_stamp(const struct source *s);
/* All that the handler has to do; `entry` is its first stamp. */
void source_fired(struct source *s, u64 entry);

extern const struct source_ops source_hrtimer;
#ifdef CONFIG_X86
extern const struct source_ops source_hpet;
extern const struct source_ops source_hpet_second;
#endif
#ifdef CONFIG_ARM64
extern const struct source_ops source_counter;
#endif

#endif
