/* Interrupts that a test asks for: the board's timers, which no tick uses. A handler gives a
 * binary semaphore, the kernel's usual way from an interrupt to a task. */
#include "freertos.h"

enum { SOURCES = 8, LOG = 4 * RTG_IRQ_BATCH };

struct served {
    uint64_t due;
    rtg_stamp_t entry, exit, before, after;
    bool alone;
};

static struct source {
    volatile bool open, cancelled;
    const struct rtg_clock *clock;
    SemaphoreHandle_t fired;
    volatile uint64_t due, hold;
    uint64_t period, left; /* of a series */
    volatile uint64_t generated, serviced;
    volatile bool done;
    struct served log[LOG];
    volatile uint32_t first, next; /* of those in the log, counted on for ever */
    uint64_t lost;                 /* that found no room there */
} source[2];
static struct source *by_index[SOURCES];
static volatile uint32_t claimed;

/* The last interrupt that is none of ours, and how deep handlers of ours are nested. */
static volatile rtg_stamp_t tick_at;
static volatile uint32_t ticks_seen, depth;

static struct source *of(uint32_t index)
{
    return index < SOURCES ? by_index[index] : NULL;
}

int rtg_irq_source(uint32_t index, struct rtg_irq_source *out)
{
    const struct rtg_board_timer *timer =
        index < SOURCES && index < rtg_board_timers() ? rtg_board_timer_at(index) : NULL;
    if (timer == NULL)
        return RTG_ENOSUP;
    *out = (struct rtg_irq_source){.name = timer->name,
                                   .marks = rtg_board_timer_marks(),
                                   .nests = timer->nests,
                                   .holds = true,
                                   .tells_others = true};
    return RTG_OK;
}

static struct source *unused(void)
{
    for (unsigned i = 0; i < sizeof source / sizeof *source; i++) {
        if (!source[i].open)
            return &source[i];
    }
    return NULL;
}

int rtg_irq_open(uint32_t index, const struct rtg_clock *clock, const char **why)
{
    struct rtg_irq_source what;
    struct source *s = unused();
    *why = "there is no such source";
    if (rtg_irq_source(index, &what) != RTG_OK)
        return RTG_ENOSUP;
    *why = "the source is in use, or two others are";
    if (of(index) != NULL || s == NULL)
        return RTG_EBUSY;
    *why = "the kernel's heap is full";
    *s = (struct source){.clock = clock, .fired = xSemaphoreCreateBinary()};
    if (s->fired == NULL)
        return RTG_EFULL;
    s->open = true;
    by_index[index] = s;
    claimed++;
    rtg_freertos_ticks_left = 1; /* from now on every tick is looked at */
    return RTG_OK;
}

void rtg_irq_close(uint32_t index)
{
    struct source *s = of(index);
    if (s == NULL)
        return;
    rtg_board_timer_cancel(index);
    by_index[index] = NULL;
    claimed--;
    vSemaphoreDelete(s->fired);
    s->open = false;
}

/* ---- the handlers ------------------------------------------------------------- */

/* Stands in the tick's handler; the rest of that follows. */
bool freertos_irq_tick(void)
{
    if (claimed == 0)
        return false;
    for (unsigned i = 0; i < sizeof source / sizeof *source; i++) {
        struct source *s = &source[i];
        if (!s->open)
            continue;
        tick_at = s->clock->read();
        struct served *last = &s->log[(s->next - 1) % LOG];
        if (s->next != s->first && last->after == 0)
            last->after = tick_at;
    }
    ticks_seen++;
    return true;
}

static void note(struct source *s, uint64_t due, rtg_stamp_t entry, bool alone)
{
    uint32_t at = s->next;
    if (at - s->first >= LOG) {
        s->lost++;
        return;
    }
    struct served *one = &s->log[at % LOG];
    *one = (struct served){.due = due, .entry = entry, .before = tick_at, .alone = alone};
    s->next = at + 1;
    one->exit = s->clock->read();
}

/* The next of a series whose time has not passed yet. */
static void go_on(uint32_t index, struct source *s)
{
    while (s->left > 0) {
        s->generated++;
        s->due += s->period;
        if (--s->left == 0) {
            s->done = true;
        } else if (s->due > rtg_board_now()) {
            rtg_board_timer_set(index, s->due);
            return;
        }
    }
}

void rtg_board_timer_fired(uint32_t index, rtg_stamp_t entry)
{
    struct source *s = of(index);
    BaseType_t higher = pdFALSE;
    if (s == NULL)
        return;
    uint32_t ticks = ticks_seen;
    bool outermost = depth++ == 0;
    uint64_t due = s->due;
    if (s->hold != 0) {
        uint64_t end = rtg_board_now() + s->hold;
        while (rtg_board_now() < end) {
        }
    }
    s->serviced++;
    xSemaphoreGiveFromISR(s->fired, &higher);
    depth--;
    go_on(index, s);
    note(s, due, entry, outermost && ticks == ticks_seen);
    portYIELD_FROM_ISR(higher);
}

/* ---- the calls ------------------------------------------------------------------ */

static int start(uint32_t index, uint64_t due_ns, uint64_t hold_ns, uint64_t period_ns, uint64_t n)
{
    struct source *s = of(index);
    if (s == NULL)
        return RTG_EINVAL;
    rtg_board_timer_cancel(index);
    xSemaphoreTake(s->fired, 0);
    s->due = due_ns;
    s->hold = hold_ns;
    s->period = period_ns;
    s->left = n;
    s->generated = s->serviced = 0;
    s->done = false;
    return rtg_board_timer_set(index, due_ns);
}

int rtg_irq_fire(uint32_t index, uint64_t due_ns, uint64_t hold_ns)
{
    return start(index, due_ns, hold_ns, 0, 0);
}

int rtg_irq_repeat(uint32_t index, uint64_t first_ns, uint64_t period_ns, uint64_t n)
{
    if (n == 0 || period_ns == 0)
        return RTG_EINVAL;
    return start(index, first_ns, 0, period_ns, n);
}

int rtg_irq_count(uint32_t index, struct rtg_irq_count *count)
{
    const struct source *s = of(index);
    if (s == NULL)
        return RTG_EINVAL;
    taskENTER_CRITICAL();
    *count = (struct rtg_irq_count){s->generated, s->serviced, s->done};
    taskEXIT_CRITICAL();
    return RTG_OK;
}

int rtg_irq_wait(uint32_t index)
{
    struct source *s = of(index);
    if (s == NULL)
        return RTG_EINVAL;
    if (!s->cancelled)
        xSemaphoreTake(s->fired, portMAX_DELAY);
    return s->cancelled ? RTG_ETIMEOUT : RTG_OK;
}

int rtg_irq_cancel(uint32_t index)
{
    struct source *s = of(index);
    if (s == NULL)
        return RTG_EINVAL;
    s->cancelled = true;
    xSemaphoreGive(s->fired);
    return RTG_OK;
}

/* Both are in the order of their due times. */
int rtg_irq_marks(uint32_t index, struct rtg_irq_mark *mark, uint32_t n, uint64_t *lost)
{
    struct source *s = of(index);
    if (s == NULL || n > RTG_IRQ_BATCH)
        return RTG_EINVAL;
    uint32_t at = n > 0 ? s->first : s->next;
    for (uint32_t i = 0; i < n; i++) {
        mark[i] = (struct rtg_irq_mark){.due_ns = mark[i].due_ns};
        for (; at != s->next && s->log[at % LOG].due <= mark[i].due_ns; at++) {
            const struct served *one = &s->log[at % LOG];
            if (one->due != mark[i].due_ns)
                continue;
            mark[i].times++;
            mark[i].entry = one->entry;
            mark[i].exit = one->exit;
            mark[i].before = one->before;
            mark[i].after = one->after;
            mark[i].alone = one->alone;
        }
    }
    s->first = at;
    *lost = s->lost;
    s->lost = 0;
    return RTG_OK;
}
