// SPDX-License-Identifier: GPL-2.0
/* rtgauge_irq: interrupts that a measurement asks for, with the stamps of their handlers. */
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>
#else
#include <asm/msr.h>
#endif

#include "source.h"

#define MOST_HOLD_NS 10000000u
#define LEAST_PERIOD_NS 500u

static const struct source_ops *const known[] = {
#ifdef CONFIG_X86
    &source_hpet,
    &source_hpet_second,
#endif
#ifdef CONFIG_ARM64
    &source_counter,
#endif
    &source_hrtimer,
};

static struct source *made[ARRAY_SIZE(known)];

/* ---- in the handler -------------------------------------------------------- */

u64 source_stamp(const struct source *s)
{
    u32 stamp = READ_ONCE(s->stamp);

    if (stamp != RTGAUGE_IRQ_COUNTER)
        return stamp == RTGAUGE_IRQ_RAW ? ktime_get_raw_fast_ns() : ktime_get_mono_fast_ns();
#ifdef CONFIG_ARM64
    return __arch_counter_get_cntvct();
#else
    return rdtsc_ordered();
#endif
}

static void keep(struct source *s, u64 due_ns, u64 entry)
{
    struct rtgauge_irq_mark *at = &s->record[s->written % SOURCE_RECORDS];

    if (s->written - smp_load_acquire(&s->taken) == SOURCE_RECORDS) {
        s->lost++;
        return;
    }
    *at = (struct rtgauge_irq_mark){
        .due_ns = due_ns,
        .entry = entry,
        .times = 1,
        .cpu = raw_smp_processor_id(),
    };
    at->exit = source_stamp(s);
    smp_store_release(&s->written, s->written + 1);
}

/* The next of a series: due times lie on a grid, and those that were over before we came
 * are counted and never made up for. */
static void go_on(struct source *s)
{
    u64 due = s->due_ns;

    s->due_ns = 0;
    if (s->period_ns == 0)
        return;
    s->serviced++;
    for (;;) {
        s->generated++;
        if (--s->left == 0) {
            s->period_ns = 0;
            return;
        }
        due += s->period_ns;
        if (s->ops->arm(s, due) == 0) {
            s->due_ns = due;
            return;
        }
    }
}

/* Whether this is no interrupt of what was asked for: nothing is any more, or one of a series
 * that was given up as too late came all the same, and is not the next one. */
static bool stray(const struct source *s)
{
    if (s->period_ns == 0)
        return s->due_ns == 0;
    return ktime_get_mono_fast_ns() + s->uncertainty_ns < s->due_ns;
}

void source_fired(struct source *s, u64 entry)
{
    unsigned long flags;
    u64 due, until;

    raw_spin_lock_irqsave(&s->lock, flags);
    if (stray(s)) {
        raw_spin_unlock_irqrestore(&s->lock, flags);
        return;
    }
    due = s->due_ns;
    if (s->hold_ns != 0) {
        until = ktime_get_mono_fast_ns() + s->hold_ns;
        while (ktime_get_mono_fast_ns() < until)
            cpu_relax();
    }
    go_on(s);
    s->fired = true;
    swake_up_one(&s->waiters);
    keep(s, due, entry);
    raw_spin_unlock_irqrestore(&s->lock, flags);
}

/* ---- what users ask for ---------------------------------------------------- */

static struct source *source_of(struct file *file)
{
    return container_of(file->private_data, struct source, device);
}

/* Due times are forgotten first: what still fires, or had become pending before the source was
 * quiet, serves nobody, and least of all the first interrupt of what is asked for next. */
static void stop(struct source *s)
{
    unsigned long flags;

    raw_spin_lock_irqsave(&s->lock, flags);
    s->due_ns = 0;
    s->period_ns = 0;
    raw_spin_unlock_irqrestore(&s->lock, flags);
    s->ops->disarm(s);
}

static int start(struct source *s, u64 due_ns, u64 hold_ns, u64 period_ns, u64 count)
{
    unsigned long flags;
    unsigned int cpu = raw_smp_processor_id();
    int error = 0;

    stop(s);
    if (s->ops->route && s->cpu != cpu)
        error = s->ops->route(s, cpu);
    if (error)
        return error;
    s->cpu = cpu;
    raw_spin_lock_irqsave(&s->lock, flags);
    s->hold_ns = hold_ns;
    s->period_ns = period_ns;
    s->left = count;
    s->generated = 0;
    s->serviced = 0;
    s->fired = false;
    s->due_ns = due_ns;
    error = s->ops->arm(s, due_ns);
    if (error) {
        s->due_ns = 0;
        s->period_ns = 0;
    }
    raw_spin_unlock_irqrestore(&s->lock, flags);
    return error;
}

static long fire(struct source *s, const void __user *from)
{
    struct rtgauge_irq_fire f;

    if (copy_from_user(&f, from, sizeof(f)))
        return -EFAULT;
    if (f.due_ns == 0 || f.hold_ns > MOST_HOLD_NS)
        return -EINVAL;
    return start(s, f.due_ns, f.hold_ns, 0, 1);
}

static long repeat(struct source *s, const void __user *from)
{
    struct rtgauge_irq_repeat r;

    if (copy_from_user(&r, from, sizeof(r)))
        return -EFAULT;
    if (r.first_ns == 0 || r.period_ns < LEAST_PERIOD_NS || r.count == 0)
        return -EINVAL;
    return start(s, r.first_ns, 0, r.period_ns, r.count);
}

static long count(struct source *s, void __user *to)
{
    struct rtgauge_irq_count c = {};
    unsigned long flags;

    raw_spin_lock_irqsave(&s->lock, flags);
    c.generated = s->generated;
    c.serviced = s->serviced;
    c.done = s->period_ns == 0;
    raw_spin_unlock_irqrestore(&s->lock, flags);
    return copy_to_user(to, &c, sizeof(c)) ? -EFAULT : 0;
}

static long cancel(struct source *s)
{
    unsigned long flags;

    stop(s);
    raw_spin_lock_irqsave(&s->lock, flags);
    s->cancelled = true;
    swake_up_one(&s->waiters);
    raw_spin_unlock_irqrestore(&s->lock, flags);
    return 0;
}

static long info(const struct source *s, void __user *to)
{
    struct rtgauge_irq_info i = {
        .version = RTGAUGE_IRQ_VERSION,
        .shares_tick = s->ops->shares_tick,
        .uncertainty_ns = s->uncertainty_ns,
    };

    strscpy(i.name, s->ops->name, sizeof(i.name));
    strscpy(i.about, s->ops->about, sizeof(i.about));
    return copy_to_user(to, &i, sizeof(i)) ? -EFAULT : 0;
}

/* Both are in rising order of their due times. Forgets the records up to the last mark, all of
 * them without any. Takes no lock that handlers take: they alone add records. */
static void match(struct source *s, struct rtgauge_irq_mark *mark, u32 n)
{
    u32 i = 0, at = s->taken, end = smp_load_acquire(&s->written);

    for (; at != end; at++) {
        const struct rtgauge_irq_mark *r = &s->record[at % SOURCE_RECORDS];

        if (n != 0 && r->due_ns > mark[n - 1].due_ns)
            break;
        while (i < n && mark[i].due_ns < r->due_ns)
            i++;
        if (i == n || mark[i].due_ns != r->due_ns)
            continue;
        if (mark[i].times++ == 0) {
            mark[i].entry = r->entry;
            mark[i].exit = r->exit;
            mark[i].cpu = r->cpu;
        }
    }
    smp_store_release(&s->taken, at);
}

static long marks(struct source *s, void __user *both)
{
    struct rtgauge_irq_marks m;
    struct rtgauge_irq_mark *mark;
    unsigned long flags;
    long error = -EFAULT;
    u32 i;

    if (copy_from_user(&m, both, sizeof(m)))
        return -EFAULT;
    if (m.n > RTGAUGE_IRQ_BATCH || m.stamp > RTGAUGE_IRQ_RAW)
        return -EINVAL;
    mark = kcalloc(m.n + 1, sizeof(*mark), GFP_KERNEL);
    if (!mark)
        return -ENOMEM;
    if (copy_from_user(mark, u64_to_user_ptr(m.mark), m.n * sizeof(*mark)))
        goto out;
    for (i = 0; i < m.n; i++)
        mark[i] = (struct rtgauge_irq_mark){.due_ns = mark[i].due_ns};
    mutex_lock(&s->reading);
    match(s, mark, m.n);
    mutex_unlock(&s->reading);
    raw_spin_lock_irqsave(&s->lock, flags);
    m.lost = s->lost;
    s->lost = 0;
    WRITE_ONCE(s->stamp, m.stamp);
    raw_spin_unlock_irqrestore(&s->lock, flags);
    if (!copy_to_user(u64_to_user_ptr(m.mark), mark, m.n * sizeof(*mark)) &&
        !copy_to_user(both, &m, sizeof(m)))
        error = 0;
out:
    kfree(mark);
    return error;
}

static long control(struct file *file, unsigned int command, unsigned long argument)
{
    struct source *s = source_of(file);
    void __user *user = (void __user *)argument;

    switch (command) {
    case RTGAUGE_IRQ_INFO:
        return info(s, user);
    case RTGAUGE_IRQ_FIRE:
        return fire(s, user);
    case RTGAUGE_IRQ_CANCEL:
        return cancel(s);
    case RTGAUGE_IRQ_MARKS:
        return marks(s, user);
    case RTGAUGE_IRQ_REPEAT:
        return repeat(s, user);
    case RTGAUGE_IRQ_COUNT:
        return count(s, user);
    default:
        return -ENOTTY;
    }
}

static bool take(struct source *s, bool *cancelled)
{
    unsigned long flags;
    bool fired;

    raw_spin_lock_irqsave(&s->lock, flags);
    *cancelled = s->cancelled;
    fired = s->fired || s->cancelled;
    s->fired = false;
    raw_spin_unlock_irqrestore(&s->lock, flags);
    return fired;
}

static ssize_t wait(struct file *file, char __user *to, size_t bytes, loff_t *at)
{
    struct source *s = source_of(file);
    bool cancelled = false;
    u64 one = 1;
    int error;

    if (bytes != sizeof(one))
        return -EINVAL;
    error = swait_event_interruptible_exclusive(s->waiters, take(s, &cancelled));
    if (error)
        return error;
    if (cancelled)
        return -ECANCELED;
    return copy_to_user(to, &one, sizeof(one)) ? -EFAULT : sizeof(one);
}

static int claim(struct inode *inode, struct file *file)
{
    struct source *s = source_of(file);

    if (atomic_cmpxchg(&s->users, 0, 1) != 0)
        return -EBUSY;
    s->stamp = RTGAUGE_IRQ_COUNTER;
    s->cpu = UINT_MAX;
    s->taken = s->written;
    s->lost = 0;
    s->fired = false;
    s->cancelled = false;
    return nonseekable_open(inode, file);
}

static int release(struct inode *inode, struct file *file)
{
    struct source *s = source_of(file);

    stop(s);
    atomic_set(&s->users, 0);
    return 0;
}

static const struct file_operations operations = {
    .owner = THIS_MODULE,
    .open = claim,
    .release = release,
    .read = wait,
    .unlocked_ioctl = control,
    .compat_ioctl = compat_ptr_ioctl,
};

/* ---- set-up ---------------------------------------------------------------- */

static struct source *make(const struct source_ops *ops)
{
    struct source *s = kzalloc(sizeof(*s), GFP_KERNEL);
    int error;

    if (!s)
        return ERR_PTR(-ENOMEM);
    s->ops = ops;
    raw_spin_lock_init(&s->lock);
    mutex_init(&s->reading);
    init_swait_queue_head(&s->waiters);
    snprintf(s->path, sizeof(s->path), "rtgauge-%s", ops->name);
    s->device = (struct miscdevice){
        .minor = MISC_DYNAMIC_MINOR,
        .name = s->path,
        .fops = &operations,
        .mode = 0600,
    };
    error = ops->setup(s);
    if (error)
        goto free;
    error = misc_register(&s->device);
    if (!error)
        return s;
    ops->teardown(s);
free:
    kfree(s);
    return ERR_PTR(error);
}

static void unmake(void)
{
    size_t i;

    for (i = 0; i < ARRAY_SIZE(known); i++) {
        if (!made[i])
            continue;
        misc_deregister(&made[i]->device);
        made[i]->ops->teardown(made[i]);
        kfree(made[i]);
        made[i] = NULL;
    }
}

static int __init begin(void)
{
    size_t i, there = 0;

    for (i = 0; i < ARRAY_SIZE(known); i++) {
        struct source *s = make(known[i]);

        if (!IS_ERR(s)) {
            made[i] = s;
            there++;
        } else if (PTR_ERR(s) != -ENODEV) {
            pr_warn("rtgauge_irq: %s: error %ld\n", known[i]->name, PTR_ERR(s));
        }
    }
    return there ? 0 : -ENODEV;
}

module_init(begin);
module_exit(unmake);
MODULE_DESCRIPTION("Interrupts that a measurement asks for");
MODULE_AUTHOR("rtgauge");
MODULE_LICENSE("GPL");
