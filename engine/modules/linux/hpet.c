// SPDX-License-Identifier: GPL-2.0
/* Comparators of the HPET that the OS does not use, each with an interrupt line of its own. */
#include <linux/acpi.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/timekeeping.h>

#include "source.h"

#define HPET_SIZE 1024
#define CAPABILITIES 0x000
#define CONFIGURATION 0x010
#define COUNTER 0x0f0
#define TIMER_CONFIG(n) (0x100 + 0x20 * (n))
#define TIMER_ROUTES(n) (0x104 + 0x20 * (n))
#define TIMER_COMPARE(n) (0x108 + 0x20 * (n))
#define ENABLE 1u
#define IRQ_ON BIT(2)
#define PERIODIC BIT(3)
#define FORCE_32 BIT(8)
#define ROUTE_SHIFT 9
#define ROUTE_MASK (0x1fu << ROUTE_SHIFT)
#define BY_MESSAGE BIT(14)
#define LEAST_AHEAD 16 /* counts between comparator and counter, so that a write is in time */

static struct hpet {
    void __iomem *base;
    int users;
    u32 period_fs;
    u32 timers;
} hpet;

struct comparator {
    unsigned int number; /* of the comparator */
    int gsi, irq;
    u32 before; /* its configuration as we found it */
};

static struct comparator both[2] = {{.gsi = -1}, {.gsi = -1}};

static struct comparator *of(const struct source *s);

static u32 get(unsigned int at)
{
    return readl(hpet.base + at);
}

static void put(unsigned int at, u32 value)
{
    writel(value, hpet.base + at);
}

static irqreturn_t handler(int irq, void *data)
{
    struct source *s = data;
    u64 entry = source_stamp(s);

    source_fired(s, entry);
    return IRQ_HANDLED;
}

/* Counts until a moment; the counter and the clock are read together, the counter in the middle. */
static int arm(struct source *s, u64 due_ns)
{
    u64 before = ktime_get_mono_fast_ns();
    u32 now = get(COUNTER), at;
    u64 after = ktime_get_mono_fast_ns();
    u64 middle = before + (after - before) / 2, counts;

    if (due_ns <= middle || due_ns - middle > 10ull * NSEC_PER_SEC)
        return -ETIME;
    counts = div_u64((due_ns - middle) * 1000000ull, hpet.period_fs);
    at = now + (u32)counts;
    put(TIMER_COMPARE(of(s)->number), at);
    /* A comparator that the counter has passed fires a whole turn later. */
    if ((s32)(at - get(COUNTER)) < LEAST_AHEAD) {
        put(TIMER_COMPARE(of(s)->number), get(COUNTER) - 1);
        return -ETIME;
    }
    return 0;
}

static int route(struct source *s, unsigned int cpu)
{
    return irq_set_affinity(of(s)->irq, cpumask_of(cpu));
}

static void disarm(struct source *s)
{
    put(TIMER_COMPARE(of(s)->number), get(COUNTER) - 1);
    synchronize_irq(of(s)->irq);
}

static int map(void)
{
    struct acpi_table_hpet *table;
    struct acpi_table_header *header;

    if (hpet.users++ > 0)
        return 0;
    if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_HPET, 0, &header)))
        goto none;
    table = (struct acpi_table_hpet *)header;
    hpet.base = ioremap(table->address.address, HPET_SIZE);
    acpi_put_table(header);
    if (!hpet.base)
        goto none;
    hpet.period_fs = get(CAPABILITIES + 4);
    hpet.timers = ((get(CAPABILITIES) >> 8) & 0x1f) + 1;
    if (hpet.period_fs == 0 || hpet.period_fs > 100000000)
        goto unmap;
    if (!(get(CONFIGURATION) & ENABLE))
        put(CONFIGURATION, get(CONFIGURATION) | ENABLE);
    return 0;
unmap:
    iounmap(hpet.base);
    hpet.base = NULL;
none:
    hpet.users--;
    return -ENODEV;
}

static void unmap(void)
{
    if (--hpet.users == 0) {
        iounmap(hpet.base);
        hpet.base = NULL;
    }
}

/* The highest comparators are those that nobody uses: 0 and 1 have the legacy routes. */
static int choose(struct comparator *c, unsigned int nth)
{
    unsigned int number;
    int gsi;

    for (number = hpet.timers; number-- > 2;) {
        u32 routes = get(TIMER_ROUTES(number));

        if (get(TIMER_CONFIG(number)) & IRQ_ON || nth-- > 0)
            continue;
        for (gsi = 31; gsi >= 16; gsi--) {
            if (routes & BIT(gsi) && both[0].gsi != gsi && both[1].gsi != gsi) {
                c->number = number;
                c->gsi = gsi;
                return 0;
            }
        }
        return -ENODEV;
    }
    return -ENODEV;
}

static int connect(struct source *s, struct comparator *c, unsigned int nth)
{
    u32 config;
    int error = map();

    if (error)
        return error;
    error = choose(c, nth);
    if (error)
        goto out;
    c->before = get(TIMER_CONFIG(c->number));
    c->irq = acpi_register_gsi(NULL, c->gsi, ACPI_EDGE_SENSITIVE, ACPI_ACTIVE_HIGH);
    error = c->irq < 0 ? c->irq : 0;
    if (error)
        goto out;
    error = request_irq(c->irq, handler, IRQF_NO_THREAD | IRQF_NOBALANCING, s->path, s);
    if (error)
        goto unregister;
    s->uncertainty_ns = DIV_ROUND_UP(hpet.period_fs, 1000000) + 1;
    config = c->before & ~(ROUTE_MASK | BIT(1) | PERIODIC | BY_MESSAGE);
    put(TIMER_CONFIG(c->number), config | c->gsi << ROUTE_SHIFT | FORCE_32 | IRQ_ON);
    put(TIMER_COMPARE(c->number), get(COUNTER) - 1);
    return 0;
unregister:
    acpi_unregister_gsi(c->gsi);
out:
    c->gsi = -1;
    unmap();
    return error;
}

static void teardown(struct source *s)
{
    struct comparator *c = of(s);

    put(TIMER_CONFIG(c->number), c->before);
    free_irq(c->irq, s);
    acpi_unregister_gsi(c->gsi);
    c->gsi = -1;
    unmap();
}

static int setup_first(struct source *s)
{
    return connect(s, &both[0], 0);
}

static int setup_second(struct source *s)
{
    return connect(s, &both[1], 0);
}

const struct source_ops source_hpet = {
    .name = "hpet",
    .about = "a comparator of the HPET with a line of its own; stamps in its handler",
    .setup = setup_first,
    .teardown = teardown,
    .route = route,
    .arm = arm,
    .disarm = disarm,
};

const struct source_ops source_hpet_second = {
    .name = "hpet-2",
    .about = "a second comparator of the HPET; stamps in its handler",
    .setup = setup_second,
    .teardown = teardown,
    .route = route,
    .arm = arm,
    .disarm = disarm,
};

static struct comparator *of(const struct source *s)
{
    return &both[s->ops == &source_hpet_second];
}
