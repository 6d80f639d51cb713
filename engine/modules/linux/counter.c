// SPDX-License-Identifier: GPL-2.0
/* The processor's generic timer that the OS does not use: the physical one where Linux has taken
 * the virtual one. */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/of.h>
#include <linux/of_irq.h>
#include <linux/timekeeping.h>

#include <asm/arch_timer.h>

#include "source.h"

#define PHYSICAL 1 /* place of its interrupt in the timer's node, beside the secure one */
#define ON 1u

static int irq;
static struct source * __percpu * owner;
static u32 frequency;

static void program(u64 at, bool on)
{
    write_sysreg(at, cntp_cval_el0);
    write_sysreg(on ? ON : 0, cntp_ctl_el0);
    isb();
}

static irqreturn_t handler(int number, void *data)
{
    struct source *s = *(struct source **)data;
    u64 entry = source_stamp(s);

    program(U64_MAX, false); /* the line is a level: it stays until then */
    source_fired(s, entry);
    return IRQ_HANDLED;
}

static int arm(struct source *s, u64 due_ns)
{
    u64 before = ktime_get_mono_fast_ns();
    u64 now = read_sysreg(cntpct_el0);
    u64 middle = before + (ktime_get_mono_fast_ns() - before) / 2;

    if (due_ns <= middle || due_ns - middle > 10ull * NSEC_PER_SEC)
        return -ETIME;
    program(now + div_u64((due_ns - middle) * frequency, NSEC_PER_SEC), true);
    return 0;
}

static void quiet(void *unused)
{
    program(U64_MAX, false);
}

static void disarm(struct source *s)
{
    on_each_cpu(quiet, NULL, 1);
}

static void open_line(void *unused)
{
    enable_percpu_irq(irq, IRQ_TYPE_NONE);
}

static void close_line(void *unused)
{
    program(U64_MAX, false);
    disable_percpu_irq(irq);
}

static int setup(struct source *s)
{
    struct device_node *node = of_find_compatible_node(NULL, NULL, "arm,armv8-timer");
    int cpu, error;

    if (!node)
        return -ENODEV;
    irq = irq_of_parse_and_map(node, PHYSICAL);
    of_node_put(node);
    if (irq <= 0)
        return -ENODEV;
    owner = alloc_percpu(struct source *);
    if (!owner)
        return -ENOMEM;
    for_each_possible_cpu(cpu) * per_cpu_ptr(owner, cpu) = s;
    frequency = arch_timer_get_cntfrq();
    error = request_percpu_irq(irq, handler, s->path, owner);
    if (error) { /* the OS uses it itself */
        free_percpu(owner);
        return error == -EBUSY || error == -EINVAL ? -ENODEV : error;
    }
    s->uncertainty_ns = DIV_ROUND_UP(NSEC_PER_SEC, frequency) + 1;
    on_each_cpu(open_line, NULL, 1);
    return 0;
}

static void teardown(struct source *s)
{
    on_each_cpu(close_line, NULL, 1);
    free_percpu_irq(irq, owner);
    free_percpu(owner);
}

const struct source_ops source_counter = {
    .name = "counter",
    .about = "the processor's timer that the OS leaves alone; stamps in its handler",
    .setup = setup,
    .teardown = teardown,
    .arm = arm,
    .disarm = disarm,
};
