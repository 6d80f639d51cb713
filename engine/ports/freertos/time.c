/* Sleeping, periodic timers and clocks. The kernel knows ticks only: what is due between two
 * of them is due at the second. */
#include "freertos.h"

#include "rtgauge/clock.h"

uint64_t rtg_os_now(void)
{
    return rtg_board_now();
}

rtg_stamp_t rtg_port_stamp_at(uint64_t ns)
{
    return rtg_board_stamp_at(ns);
}

/* ---- the grid of ticks ------------------------------------------------------

 * Where ticks and the board's clock come from one source, the first few ticks tell the times of
 * all others, to the shortest way from the timer to the hook; else the newest does. The count
 * of ticks is not part of it: the kernel loses ticks while something masks interrupts for long. */
static volatile uint64_t grid_ns;    /* of some tick */
static volatile uint32_t grid_ticks; /* that it was found by */

bool freertos_time_tick(uint64_t now)
{
    if (RTG_BOARD_TICK_IS_EXACT && grid_ticks >= FREERTOS_GRID_TICKS)
        return false;
    uint64_t next = grid_ns + FREERTOS_TICK_NS;
    grid_ns = RTG_BOARD_TICK_IS_EXACT && grid_ticks != 0 && now > next ? next : now;
    grid_ticks = grid_ticks + 1;
    return true;
}

/* Ticks from the one of the grid up to this time. */
static uint64_t ticks_since(uint64_t grid, uint64_t ns)
{
    return ns <= grid ? 0 : (ns - grid) / FREERTOS_TICK_NS;
}

/* Three values between the same two ticks. */
struct moment {
    TickType_t tick; /* the kernel's count */
    uint64_t now, grid;
};

static struct moment this_moment(void)
{
    struct moment m;
    do {
        m.tick = xTaskGetTickCount();
        m.now = rtg_board_now();
        m.grid = grid_ns;
    } while (m.tick != xTaskGetTickCount());
    return m;
}

/* Ticks from this moment to the first tick at or after due_ns, 0 when it has passed. */
static TickType_t ticks_until(const struct moment *m, uint64_t due_ns)
{
    if (due_ns <= m->now)
        return 0;
    uint64_t left =
        ticks_since(m->grid, due_ns + FREERTOS_TICK_NS - 1) - ticks_since(m->grid, m->now);
    if (left == 0) /* the tick that makes it so is on its way */
        left = 1;
    return left < portMAX_DELAY ? (TickType_t)left : portMAX_DELAY - 1;
}

/* The same from now, portMAX_DELAY - 1 at most. *tick receives the count of ticks that they are
 * counted from; no tick came while they were calculated. */
static TickType_t ticks_from_now(uint64_t due_ns, TickType_t *tick)
{
    TickType_t left;
    do {
        struct moment m = this_moment();
        *tick = m.tick;
        left = ticks_until(&m, due_ns);
    } while (*tick != xTaskGetTickCount());
    return left;
}

/* A difference of counts that may have wrapped; none is half the way round behind. */
uint64_t freertos_ticks_lost(void)
{
    static bool asked;
    static TickType_t first, most;
    if (!RTG_BOARD_TICK_IS_EXACT)
        return 0;
    struct moment m = this_moment();
    TickType_t behind = (TickType_t)(ticks_since(m.grid, m.now) - m.tick);
    if (!asked)
        first = behind;
    asked = true;
    TickType_t lost = behind - first;
    most = lost > most && lost < portMAX_DELAY / 2 ? lost : most;
    return most;
}

int freertos_wait_until(freertos_wait_fn wait, void *object, void *message, uint64_t due_ns)
{
    TickType_t now, ticks;
    do {
        ticks = ticks_from_now(due_ns, &now);
        if (wait(object, message, ticks) == pdTRUE)
            return RTG_OK;
    } while (ticks != 0);
    return RTG_ETIMEOUT;
}

/* ---- sleeping ---------------------------------------------------------------- */

int rtg_sleep_until(uint64_t due_ns)
{
    TickType_t from, ticks;
    while ((ticks = ticks_from_now(due_ns, &from)) != 0)
        xTaskDelayUntil(&from, ticks);
    return RTG_OK;
}

/* By vTaskDelay, which of 0 gives equals the CPU, and of 1 lasts up to the next tick. */
int rtg_sleep_for(uint64_t ns)
{
    uint64_t now = rtg_board_now(), due = ns < UINT64_MAX - now ? now + ns : UINT64_MAX;
    TickType_t from, ticks = ticks_from_now(due, &from);
    vTaskDelay(ns == 0 ? 0 : ticks != 0 ? ticks : 1);
    return ns == 0 ? RTG_OK : rtg_sleep_until(due);
}

/* ---- periodic timers: the kernel's software timers ----------------------------- */

#if configUSE_TIMERS
/* Both run in the timer task, and ask the kernel for as little as can be: what they do is told as
 * the system's.
 *
 * A period of whole ticks is left to the kernel, which repeats it on the right ticks from the
 * start; what comes before the first due time is no expiry. */
static void expired(TimerHandle_t timer)
{
    struct rtg_timer *t = pvTimerGetTimerID(timer);
    if (!t->begun) {
        TickType_t at = xTimerGetExpiryTime(timer) - (TickType_t)t->period_ticks;
        t->begun = (TickType_t)(at - (TickType_t)t->first_tick) < portMAX_DELAY / 2;
        if (!t->begun)
            return;
    }
    t->count++;
    xTaskNotifyGive(t->owner);
}

/* Of any other period each due time is rounded up by itself. It is late by a tick when one comes
 * before the timer task reads its command, the next one is not. */
static void expired_between_ticks(TimerHandle_t timer)
{
    struct rtg_timer *t = pvTimerGetTimerID(timer);
    uint64_t now = rtg_board_now();
    uint64_t due = now < t->next_ns ? 0 : (now - t->next_ns) / t->period_ns + 1;
    t->count += (uint32_t)due;
    t->next_ns += due * t->period_ns;
    if (due != 0)
        xTaskNotifyGive(t->owner);
    TickType_t tick, ticks = ticks_from_now(t->next_ns, &tick);
    xTimerChangePeriod(timer, ticks != 0 ? ticks : 1, 0);
}

/* The kernel counts the first period from `from`. xTimerStart would count from the tick of its own
 * call, by which one more may have come, and the whole series were a tick late. */
static int start(struct rtg_timer *t, TickType_t period, TickType_t from,
                 TimerCallbackFunction_t fn)
{
    t->handle = xTimerCreate("rtg", period, pdTRUE, t, fn);
    if (t->handle == NULL)
        return RTG_EFULL;
    return xTimerGenericCommand((TimerHandle_t)t->handle, tmrCOMMAND_START, from, NULL,
                                portMAX_DELAY) == pdPASS
               ? RTG_OK
               : RTG_EFAIL;
}

int rtg_timer_create(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns)
{
    uint64_t whole = period_ns / FREERTOS_TICK_NS;
    if (period_ns == 0)
        return RTG_EINVAL;
    *t = (struct rtg_timer){
        .owner = xTaskGetCurrentTaskHandle(), .next_ns = first_ns, .period_ns = period_ns};
    TickType_t from, ticks = ticks_from_now(first_ns, &from);
    ticks = ticks != 0 ? ticks : 1;
    if (!RTG_BOARD_TICK_IS_EXACT || period_ns % FREERTOS_TICK_NS != 0 || whole >= portMAX_DELAY)
        return start(t, ticks, from, expired_between_ticks);
    t->period_ticks = (uint32_t)whole;
    t->first_tick = (TickType_t)(from + ticks);
    TickType_t period = (TickType_t)whole, next = (ticks - 1) % period + 1;
    return start(t, period, from + next - period, expired);
}

int rtg_timer_wait(struct rtg_timer *t, uint64_t *expiries)
{
    if (t->owner != xTaskGetCurrentTaskHandle())
        return RTG_EINVAL;
    while (t->count == 0)
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    taskENTER_CRITICAL();
    *expiries = t->count;
    t->count = 0;
    taskEXIT_CRITICAL();
    return RTG_OK;
}

/* The timer task is above every level: it has done both before the call returns. */
int rtg_timer_destroy(struct rtg_timer *t)
{
    if (xTimerDelete((TimerHandle_t)t->handle, portMAX_DELAY) != pdPASS)
        return RTG_EFAIL;
    t->handle = NULL;
    return RTG_OK;
}
#else
int rtg_timer_create(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns)
{
    (void)t;
    (void)first_ns;
    (void)period_ns;
    return RTG_ENOSUP;
}

int rtg_timer_wait(struct rtg_timer *t, uint64_t *expiries)
{
    (void)t;
    (void)expiries;
    return RTG_ENOSUP;
}

int rtg_timer_destroy(struct rtg_timer *t)
{
    (void)t;
    return RTG_ENOSUP;
}
#endif

int rtg_timer_create_native(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns)
{
    (void)t;
    (void)first_ns;
    (void)period_ns;
    return RTG_ENOSUP; /* there is one kind */
}

/* ---- clocks -------------------------------------------------------------------- */

int rtg_os_tick(uint64_t *value)
{
    *value = xTaskGetTickCount();
    return RTG_OK;
}

int rtg_tick_changeable(const char **how)
{
    *how = "configTICK_RATE_HZ, when the image is built";
    return 1;
}

static uint64_t tick_clock(void)
{
    return xTaskGetTickCount() * FREERTOS_TICK_NS;
}

int rtg_os_clock(uint32_t index, struct rtg_os_clock *clock)
{
    if (index > 1)
        return RTG_ENOSUP;
    *clock = index == 0
                 ? (struct rtg_os_clock){"board-counter", rtg_board_now_step(), rtg_board_now}
                 : (struct rtg_os_clock){"xTaskGetTickCount", FREERTOS_TICK_NS, tick_clock};
    return RTG_OK;
}

/* The kernel knows no date. */
uint64_t rtg_time_of_day_syscall(void)
{
    return 0;
}

uint64_t (*const rtg_time_of_day_user)(void) = NULL;
