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

void freertos_time_tick(void)
{
    if (RTG_BOARD_TICK_IS_EXACT && grid_ticks >= FREERTOS_GRID_TICKS)
        return;
    uint64_t now = rtg_board_now(), next = grid_ns + FREERTOS_TICK_NS;
    grid_ns = RTG_BOARD_TICK_IS_EXACT && grid_ticks != 0 && now > next ? next : now;
    grid_ticks = grid_ticks + 1;
}

/* Ticks from the one of the grid up to this time. */
static uint64_t ticks_since(uint64_t grid, uint64_t ns)
{
    return ns <= grid ? 0 : (ns - grid) / FREERTOS_TICK_NS;
}

TickType_t freertos_ticks_until(uint64_t due_ns, TickType_t *tick)
{
    uint64_t now, grid;
    do {
        *tick = xTaskGetTickCount();
        now = rtg_board_now();
        grid = grid_ns;
    } while (*tick != xTaskGetTickCount());
    if (due_ns <= now)
        return 0;
    uint64_t left = ticks_since(grid, due_ns + FREERTOS_TICK_NS - 1) - ticks_since(grid, now);
    if (left == 0) /* the tick that makes it so is on its way */
        left = 1;
    return left < portMAX_DELAY ? (TickType_t)left : portMAX_DELAY - 1;
}

uint64_t freertos_ticks_lost(void)
{
    static uint64_t first, most;
    TickType_t tick;
    freertos_ticks_until(0, &tick);
    uint64_t behind = ticks_since(grid_ns, rtg_board_now()) - tick;
    if (first == 0)
        first = behind;
    most = behind - first < UINT32_MAX && behind - first > most ? behind - first : most;
    return most;
}

int freertos_wait_until(freertos_wait_fn wait, void *object, void *message, uint64_t due_ns)
{
    TickType_t now, ticks;
    do {
        ticks = freertos_ticks_until(due_ns, &now);
        if (wait(object, message, ticks) == pdTRUE)
            return RTG_OK;
    } while (ticks != 0);
    return RTG_ETIMEOUT;
}

/* ---- sleeping ---------------------------------------------------------------- */

int rtg_sleep_until(uint64_t due_ns)
{
    TickType_t from, ticks;
    while ((ticks = freertos_ticks_until(due_ns, &from)) != 0)
        xTaskDelayUntil(&from, ticks);
    return RTG_OK;
}

/* By vTaskDelay, which of 0 gives equals the CPU, and of 1 lasts up to the next tick. */
int rtg_sleep_for(uint64_t ns)
{
    uint64_t now = rtg_board_now(), due = ns < UINT64_MAX - now ? now + ns : UINT64_MAX;
    TickType_t from, ticks = freertos_ticks_until(due, &from);
    vTaskDelay(ns == 0 ? 0 : ticks != 0 ? ticks : 1);
    return ns == 0 ? RTG_OK : rtg_sleep_until(due);
}

/* ---- periodic timers: the kernel's software timers ----------------------------- */

#if configUSE_TIMERS
/* Runs in the timer task. A period of whole ticks is left to the kernel after the first
 * expiry; of any other each due time is rounded up by itself. */
static void expired(TimerHandle_t timer)
{
    struct rtg_timer *t = pvTimerGetTimerID(timer);
    t->count++;
    xTaskNotifyGive(t->owner);
    if (t->steady)
        return;
    TickType_t tick, ticks = t->period_ticks;
    t->steady = ticks != 0;
    if (!t->steady) {
        uint64_t now = rtg_board_now();
        uint64_t missed = now > t->next_ns ? (now - t->next_ns) / t->period_ns : 0;
        t->count += (uint32_t)missed;
        t->next_ns += (1 + missed) * t->period_ns;
        ticks = freertos_ticks_until(t->next_ns, &tick);
    }
    xTimerChangePeriod(timer, ticks != 0 ? ticks : 1, 0);
}

int rtg_timer_create(struct rtg_timer *t, uint64_t first_ns, uint64_t period_ns)
{
    TickType_t now, ticks = freertos_ticks_until(first_ns, &now);
    uint64_t whole = period_ns / FREERTOS_TICK_NS;
    if (period_ns == 0)
        return RTG_EINVAL;
    *t = (struct rtg_timer){
        .owner = xTaskGetCurrentTaskHandle(), .next_ns = first_ns, .period_ns = period_ns};
    if (period_ns % FREERTOS_TICK_NS == 0 && whole < portMAX_DELAY)
        t->period_ticks = (TickType_t)whole;
    t->handle = xTimerCreate("rtg", ticks != 0 ? ticks : 1, pdTRUE, t, expired);
    if (t->handle == NULL)
        return RTG_EFULL;
    return xTimerStart((TimerHandle_t)t->handle, portMAX_DELAY) == pdPASS ? RTG_OK : RTG_EFAIL;
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
