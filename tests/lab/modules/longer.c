// SPDX-License-Identifier: GPL-2.0
/* A module that hooks into each switch of threads, as a monitor would. */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

static struct tracepoint *point;
static unsigned long switches;

static void on_switch(void *data, bool preempt, struct task_struct *from, struct task_struct *to,
                      unsigned int state)
{
    switches++;
}

static void find(struct tracepoint *one, void *unused)
{
    if (strcmp(one->name, "sched_switch") == 0)
        point = one;
}

static int __init begin(void)
{
    for_each_kernel_tracepoint(find, NULL);
    return point ? tracepoint_probe_register(point, on_switch, NULL) : -ENOENT;
}

static void __exit end(void)
{
    tracepoint_probe_unregister(point, on_switch, NULL);
    tracepoint_synchronize_unregister();
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("Makes each switch of threads longer");
MODULE_LICENSE("GPL");
