/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note
 *
 * What the module and the engine say to each other. One device for each source of
 * interrupts: /dev/rtgauge-<name>, for one user at a time.
 *
 * read() of 8 bytes blocks until the source has fired since somebody last read, and takes all of
 * that; ECANCELED after RTGAUGE_IRQ_CANCEL. Times are ns of CLOCK_MONOTONIC. */
#ifndef RTGAUGE_IRQ_H
#define RTGAUGE_IRQ_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define RTGAUGE_IRQ_VERSION 1u
#define RTGAUGE_IRQ_BATCH 256u

enum rtgauge_irq_stamp {
    RTGAUGE_IRQ_COUNTER,   /* the processor's: TSC, CNTVCT */
    RTGAUGE_IRQ_MONOTONIC, /* CLOCK_MONOTONIC in ns */
    RTGAUGE_IRQ_RAW,       /* CLOCK_MONOTONIC_RAW in ns */
};

struct rtgauge_irq_info {
    __u32 version;
    __u32 shares_tick;    /* the OS's own timers come by the same interrupt */
    __u64 uncertainty_ns; /* by how much an interrupt may be due earlier or later than asked for */
    char name[16];
    char about[96];
};

struct rtgauge_irq_fire {
    __u64 due_ns;
    __u64 hold_ns; /* the handler lasts that much longer; at most 10 ms */
};

struct rtgauge_irq_repeat {
    __u64 first_ns;
    __u64 period_ns;
    __u64 count;
};

struct rtgauge_irq_count {
    __u64 generated; /* due times that are over */
    __u64 serviced;  /* of them, served before the next one was due */
    __u64 done;      /* 1: all of the series are over */
};

struct rtgauge_irq_mark {
    __u64 due_ns;
    __u64 entry, exit; /* stamps: first and last thing in the handler */
    __u32 times;       /* handled */
    __u32 cpu;
};

/* What became of interrupts, given by their due times in rising order. Forgets all up to the last
 * of them, and everything without any. */
struct rtgauge_irq_marks {
    __u64 mark;  /* address of `n` struct rtgauge_irq_mark, their due times given */
    __u32 n;     /* at most RTGAUGE_IRQ_BATCH */
    __u32 stamp; /* enum rtgauge_irq_stamp: what the next ones are to be */
    __u64 lost;  /* handler runs that found no room since the last call */
};

#define RTGAUGE_IRQ_INFO _IOR('R', 1, struct rtgauge_irq_info)
#define RTGAUGE_IRQ_FIRE _IOW('R', 2, struct rtgauge_irq_fire)
#define RTGAUGE_IRQ_CANCEL _IO('R', 3)
#define RTGAUGE_IRQ_MARKS _IOWR('R', 4, struct rtgauge_irq_marks)
#define RTGAUGE_IRQ_REPEAT _IOW('R', 5, struct rtgauge_irq_repeat)
#define RTGAUGE_IRQ_COUNT _IOR('R', 6, struct rtgauge_irq_count)

#endif
