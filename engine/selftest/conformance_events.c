/* The system's own events, and interrupts that a test asks for. */
#include <stddef.h>

#include "conformance.h"
#include "rtgauge/clock.h"

extern const struct rtg_clock *const rtg_clocks[];

enum { SOON_NS = 2000000, LATER_NS = 20000000 };

/* The first clock whose events the system can record; false, and said why, when none. */
static bool open_events(void)
{
    const char *why = NULL;
    int error = RTG_ENOSUP;
    for (unsigned i = 0; rtg_clocks[i] != NULL && error != RTG_OK; i++) {
        error = rtg_events_open(rtg_clocks[i], &why);
        CHECK(error == RTG_OK || (why != NULL && why[0] != 0));
    }
    if (error == RTG_EPERM)
        check_skipped("rtg_events_open", why);
    return error == RTG_OK || (error != RTG_EPERM && !conf_unsupported("rtg_events_open", error) &&
                               (CHECK_EQUAL(error, RTG_OK), false));
}

static void events_need_to_be_open(void)
{
    struct rtg_events_facts facts;
    struct rtg_events_count count;
    int closed = rtg_events_facts(&facts);
    if (conf_unsupported("rtg_events_facts", closed))
        return;
    CHECK_EQUAL(closed, RTG_EINVAL);
    CHECK_EQUAL(rtg_events_record(true), RTG_EINVAL);
    CHECK_EQUAL(rtg_events_clear(), RTG_EINVAL);
    CHECK_EQUAL(rtg_events_count(conf_cpu(), &count), RTG_EINVAL);
    CHECK_EQUAL(rtg_events_read(conf_cpu(), NULL, NULL), RTG_EINVAL);
    rtg_events_close();
}

struct heard {
    uint64_t events, last, wakings, switches, kinds;
    bool in_order;
    uint32_t stop_after;
};

static bool ends_within(const char *text, size_t size)
{
    size_t n = 0;
    while (n < size && text[n] != 0)
        n++;
    return n < size;
}

static bool hear(void *to, const struct rtg_event *event)
{
    struct heard *heard = to;
    heard->in_order = heard->in_order && event->at >= heard->last;
    heard->last = event->at;
    heard->events++;
    heard->wakings += event->kind == RTG_EVENT_WAKING;
    heard->switches += event->kind == RTG_EVENT_SWITCH;
    CHECK(event->kind < RTG_EVENT_KINDS);
    CHECK(ends_within(event->name, sizeof event->name));
    CHECK(ends_within(event->state, sizeof event->state));
    CHECK_EQUAL(event->cpu, (uint32_t)conf_cpu());
    return heard->stop_after == 0 || heard->events < heard->stop_after;
}

static void be_busy(void *arg)
{
    (void)arg;
    conf_busy(4 * SOON_NS);
}

/* Five times, with a lower thread that has the CPU meanwhile. */
static void sleep_often(void)
{
    struct rtg_thread t;
    conf_start(&t, 0, be_busy, NULL);
    for (int i = 0; i < 5; i++)
        rtg_sleep_for(SOON_NS / 4);
    conf_join(&t, 1);
}

/* What happens while it is on is kept, in order and by the stamp clock; nothing else is. */
static void events_are_recorded(void)
{
    struct heard heard = {.in_order = true};
    struct rtg_events_count count = {0}, later = {0};
    struct rtg_events_facts facts = {NULL, 0, 0};
    const char *why = NULL;
    if (!open_events())
        return;
    CHECK_EQUAL(rtg_events_open(rtg_clocks[0], &why), RTG_EBUSY);
    CHECK_EQUAL(rtg_events_facts(&facts), RTG_OK);
    CHECK(facts.missing != NULL && facts.bytes > 0);
    sleep_often();
    CHECK_EQUAL(rtg_events_count(conf_cpu(), &count), RTG_OK);
    CHECK_EQUAL(count.kept, 0);
    CHECK_EQUAL(rtg_events_record(true), RTG_OK);
    sleep_often();
    CHECK_EQUAL(rtg_events_record(false), RTG_OK);
    CHECK_EQUAL(rtg_events_count(conf_cpu(), &count), RTG_OK);
    sleep_often();
    CHECK_EQUAL(rtg_events_count(conf_cpu(), &later), RTG_OK);
    CHECK(count.kept > 0 && count.bytes > 0);
    CHECK_EQUAL(later.kept, count.kept);
    CHECK_EQUAL(rtg_events_read(conf_cpu(), hear, &heard), RTG_OK);
    CHECK(heard.in_order && heard.events <= count.kept);
    CHECK(heard.wakings >= 5 && heard.switches >= 5);
    heard = (struct heard){.in_order = true, .stop_after = 3};
    CHECK_EQUAL(rtg_events_read(conf_cpu(), hear, &heard), RTG_OK);
    CHECK_EQUAL(heard.events, 3);
    CHECK_EQUAL(rtg_events_clear(), RTG_OK);
    CHECK_EQUAL(rtg_events_count(conf_cpu(), &count), RTG_OK);
    CHECK_EQUAL(count.kept, 0);
    rtg_events_close();
}

static void irq_sources_are_listed(void)
{
    struct rtg_irq_source source;
    uint32_t n = 0;
    while (n < 16 && rtg_irq_source(n, &source) == RTG_OK) {
        CHECK(source.name != NULL && source.name[0] != 0);
        CHECK(source.marks != NULL && source.marks[0] != 0);
        n++;
    }
    CHECK(n < 16);
    CHECK_EQUAL(rtg_irq_source(n, &source), RTG_ENOSUP);
}

static const struct rtg_clock *clock_of_marks;

static bool follows(rtg_stamp_t first, rtg_stamp_t second)
{
    rtg_stamp_t ticks = clock_of_marks->direction < 0 ? first - second : second - first;
    return (ticks >> (clock_of_marks->width - 1) & 1) == 0;
}

static bool open_source(void)
{
    const char *why = NULL;
    int error = RTG_ENOSUP;
    for (unsigned i = 0; rtg_clocks[i] != NULL && error != RTG_OK; i++) {
        clock_of_marks = rtg_clocks[i];
        error = rtg_irq_open(0, rtg_clocks[i], &why);
    }
    CHECK(error == RTG_OK || (why != NULL && why[0] != 0));
    if (error == RTG_EPERM)
        check_skipped("rtg_irq_open", why);
    else if (!conf_unsupported("rtg_irq_open", error))
        CHECK_EQUAL(error, RTG_OK);
    return error == RTG_OK;
}

/* One interrupt is handled once, not before it is due, and leaves its marks. */
static void an_interrupt_comes_when_due(void)
{
    struct rtg_irq_mark mark = {.due_ns = 0};
    uint64_t lost = 0;
    if (!open_source())
        return;
    mark.due_ns = rtg_os_now() + SOON_NS;
    CHECK_EQUAL(rtg_irq_fire(0, mark.due_ns, 0), RTG_OK);
    CHECK_EQUAL(rtg_irq_wait(0), RTG_OK);
    CHECK(rtg_os_now() >= mark.due_ns);
    CHECK_EQUAL(rtg_irq_marks(0, &mark, 1, &lost), RTG_OK);
    CHECK_EQUAL(mark.times, 1);
    CHECK(mark.entry != 0 && follows((rtg_stamp_t)mark.entry, (rtg_stamp_t)mark.exit));
    CHECK_EQUAL(rtg_irq_marks(0, &mark, 1, &lost), RTG_OK); /* it was forgotten */
    CHECK_EQUAL(mark.times, 0);
    rtg_irq_close(0);
}

/* Each of a series is served while there is time for it, and every one is counted. */
static void interrupts_come_in_a_series(void)
{
    struct rtg_irq_count count = {.done = true};
    if (!open_source())
        return;
    int error = rtg_irq_repeat(0, rtg_os_now() + SOON_NS, SOON_NS, 3);
    if (!conf_unsupported("rtg_irq_repeat", error)) {
        CHECK_EQUAL(error, RTG_OK);
        CHECK_EQUAL(rtg_irq_count(0, &count), RTG_OK);
        CHECK(!count.done);
        rtg_sleep_for(3 * SOON_NS + LATER_NS);
        CHECK_EQUAL(rtg_irq_count(0, &count), RTG_OK);
        CHECK(count.done);
        CHECK_EQUAL(count.generated, 3);
        CHECK_EQUAL(count.serviced, 3);
        CHECK_EQUAL(rtg_irq_repeat(0, rtg_os_now() + SOON_NS, SOON_NS, 0), RTG_EINVAL);
    } else {
        CHECK_EQUAL(rtg_irq_count(0, &count), RTG_ENOSUP);
    }
    rtg_irq_close(0);
}

static void wait_and_mark(void *arg)
{
    int result = rtg_irq_wait(0);
    conf_mark(result == RTG_OK ? *(const char *)arg : result == RTG_ETIMEOUT ? 'x' : '?');
}

static void an_interrupt_releases_one_waiter(void)
{
    struct rtg_thread t[2];
    if (!open_source())
        return;
    conf_start(&t[0], 2, wait_and_mark, "w");
    conf_start(&t[1], 2, wait_and_mark, "w");
    conf_let_others_run();
    CHECK_TEXT(conf_marks(), "");
    CHECK_EQUAL(rtg_irq_fire(0, rtg_os_now() + SOON_NS, 0), RTG_OK);
    rtg_sleep_for(LATER_NS);
    CHECK_TEXT(conf_marks(), "w");
    CHECK_EQUAL(rtg_irq_cancel(0), RTG_OK);
    rtg_sleep_for(LATER_NS);
    CHECK_TEXT(conf_marks(), "x");
    conf_join(t, 2);
    rtg_irq_close(0);
}

const struct conf_check conf_event_checks[] = {
    {"rtg_events_facts rtg_events_record rtg_events_clear", events_need_to_be_open, CONF_ANYWHERE},
    {"rtg_events_count rtg_events_read rtg_events_close", events_need_to_be_open, CONF_ANYWHERE},
    {"rtg_events_open rtg_events_record rtg_events_read", events_are_recorded, CONF_LEVELS},
    {"rtg_irq_source", irq_sources_are_listed, CONF_ANYWHERE},
    {"rtg_irq_open rtg_irq_fire rtg_irq_marks rtg_irq_close", an_interrupt_comes_when_due,
     CONF_LEVELS},
    {"rtg_irq_repeat rtg_irq_count", interrupts_come_in_a_series, CONF_LEVELS},
    {"rtg_irq_wait rtg_irq_cancel", an_interrupt_releases_one_waiter, CONF_LEVELS},
    {NULL, NULL, CONF_ANYWHERE},
};
