// SPDX-License-Identifier: GPL-2.0
/* A module that does nothing once it is loaded. */
#include <linux/module.h>
#include <linux/slab.h>

static void *kept;

static int __init begin(void)
{
    kept = kmalloc(3000, GFP_KERNEL);
    pr_notice("unrelated: loaded\n");
    return kept ? 0 : -ENOMEM;
}

static void __exit end(void)
{
    kfree(kept);
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("Changes nothing that is measured");
MODULE_LICENSE("GPL");
