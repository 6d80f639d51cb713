/* As much of a kernel as rtgauge_irq needs to be run as a program: one CPU, no interrupts but those
 * that the program makes, and time that it sets. */
#ifndef RTGAUGE_TEST_KERNEL_H
#define RTGAUGE_TEST_KERNEL_H

#include <errno.h>
#include <limits.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef int32_t s32;
typedef int raw_spinlock_t, atomic_t, irqreturn_t;
struct mutex {
    int unused;
};
struct swait_queue_head {
    int unused;
};
struct inode;
struct file {
    void *private_data;
};
struct file_operations {
    void *owner;
    int (*open)(struct inode *, struct file *), (*release)(struct inode *, struct file *);
    ssize_t (*read)(struct file *, char *, size_t, loff_t *);
    long (*unlocked_ioctl)(struct file *, unsigned int, unsigned long);
    void *compat_ioctl;
};
struct miscdevice {
    int minor, mode;
    const char *name;
    const struct file_operations *fops;
};

#define __user
#define __init
#define __iomem
#define __used
#define GFP_KERNEL 0
#define THIS_MODULE NULL
#define MISC_DYNAMIC_MINOR 0
#define compat_ptr_ioctl NULL
#define module_init(f) static int (*const begin_of_module)(void) __attribute__((unused)) = f
#define module_exit(f) static void (*const end_of_module)(void) __attribute__((unused)) = f
#define MODULE_DESCRIPTION(text)
#define MODULE_AUTHOR(text)
#define MODULE_LICENSE(text)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof *(a))
#define BIT(n) (1u << (n))
#define DIV_ROUND_UP(a, b) (((a) + (b) - 1) / (b))
#define NSEC_PER_SEC 1000000000ull
#define READ_ONCE(v) (v)
#define WRITE_ONCE(v, to) ((v) = (to))
#define smp_load_acquire(p) (*(p))
#define smp_store_release(p, v) (*(p) = (v))
#define raw_smp_processor_id() 0u
#define raw_spin_lock_init(l) (void)(l)
#define raw_spin_lock_irqsave(l, f) ((f) = 0, (void)(l))
#define raw_spin_unlock_irqrestore(l, f) ((void)(l), (void)(f))
#define mutex_init(m) (void)(m)
#define mutex_lock(m) (void)(m)
#define mutex_unlock(m) (void)(m)
#define init_swait_queue_head(q) (void)(q)
#define swake_up_one(q) (void)(q)
#define swait_event_interruptible_exclusive(q, condition) ((condition) ? 0 : -EINTR)
#define cpu_relax() (void)0
#define container_of(p, kind, part) ((kind *)((char *)(p) - offsetof(kind, part)))
#define copy_from_user(to, from, n) (memcpy(to, from, n), 0)
#define copy_to_user(to, from, n) (memcpy(to, from, n), 0)
#define u64_to_user_ptr(a) ((void *)(uintptr_t)(a))
#define strscpy(to, from, n) snprintf(to, n, "%s", from)
#define kzalloc(n, how) calloc(1, n)
#define kcalloc(n, size, how) calloc(n, size)
#define kfree free
#define ERR_PTR(e) ((void *)(intptr_t)(e))
#define PTR_ERR(p) ((long)(intptr_t)(p))
#define IS_ERR(p) ((uintptr_t)(p) > UINTPTR_MAX - 4096)
#define pr_warn printf
#define atomic_cmpxchg(a, old, new) (*(a) == (old) ? (*(a) = (new), (old)) : *(a))
#define atomic_set(a, v) (*(a) = (v))
#define misc_register(d) ((void)(d), 0)
#define misc_deregister(d) (void)(d)
#define nonseekable_open(i, f) ((void)(i), (void)(f), 0)

static u64 time_now;
#define ktime_get_mono_fast_ns() time_now
#define ktime_get_raw_fast_ns() time_now
#define rdtsc_ordered() time_now

#endif
