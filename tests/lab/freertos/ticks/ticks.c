/* The port's time and watchdog on a kernel and a board that are told when a tick comes: the cases
 * that on a real one take luck. The argument names one; status 0: as it should be. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "freertos.h"

#define TICK FREERTOS_TICK_NS
#define PERIOD (1000u * (configCPU_CLOCK_HZ / configTICK_RATE_HZ)) /* ns, by the timer */

/* ---- what the port stands on -------------------------------------------------- */

static uint64_t now_ns, limit_ns = UINT64_MAX;
static TickType_t count;
static jmp_buf ended;
static int ended_with;
static const char *ended_why;
static int reads_to_tick; /* of the count, after which one more tick comes; 0: none does */
static TickType_t next_expiry, timer_period;
static TimerCallbackFunction_t on_expiry;
static void *timer_id;
static int handle;

/* `hooked`: whether the kernel calls the hook. The next tick comes a period after the last. */
static void tick(bool hooked)
{
    static uint64_t last;
    last = (last / PERIOD + 1) * PERIOD;
    if (now_ns < last)
        now_ns = last;
    last = now_ns / PERIOD * PERIOD;
    count++;
    if (hooked)
        rtg_freertos_tick();
}

static void ticks(int n)
{
    while (n-- > 0)
        tick(true);
}

TickType_t xTaskGetTickCount(void)
{
    TickType_t seen = count;
    if (reads_to_tick > 0 && --reads_to_tick == 0)
        tick(true);
    return seen;
}

uint64_t rtg_board_now(void)
{
    return now_ns;
}

uint64_t rtg_board_now_limit(void)
{
    return limit_ns;
}

void rtg_board_exit(int status)
{
    ended_with = status;
    longjmp(ended, 1);
}

void rtg_board_fail(const char *what, const char *detail)
{
    (void)detail;
    ended_why = what;
    rtg_board_exit(RTG_EXIT_FAULT);
}

bool freertos_irq_tick(void)
{
    return false;
}

void vTaskDelay(TickType_t n)
{
    ticks((int)n);
}

BaseType_t xTaskDelayUntil(TickType_t *from, TickType_t n)
{
    while (count != (TickType_t)(*from + n))
        tick(true);
    return pdTRUE;
}

TimerHandle_t xTimerCreate(const char *name, const TickType_t period, const BaseType_t again,
                           void *id, TimerCallbackFunction_t call)
{
    (void)name;
    (void)again;
    timer_period = period;
    timer_id = id;
    on_expiry = call;
    tick(true); /* one comes while the timer is made */
    return (TimerHandle_t)&handle;
}

BaseType_t xTimerGenericCommandFromTask(TimerHandle_t timer, const BaseType_t command,
                                        const TickType_t value, BaseType_t *const woken,
                                        const TickType_t wait)
{
    (void)timer;
    (void)woken;
    (void)wait;
    if (command == tmrCOMMAND_CHANGE_PERIOD) {
        timer_period = value;
        next_expiry = count + timer_period;
    } else if (command == tmrCOMMAND_START) {
        next_expiry = value + timer_period;
    }
    return pdPASS;
}

TickType_t xTimerGetExpiryTime(TimerHandle_t timer)
{
    (void)timer;
    return next_expiry;
}

/* One tick, and what the timer task has to do then. */
static void tick_and_expire(void)
{
    tick(true);
    while (next_expiry <= count) {
        next_expiry += timer_period;
        on_expiry((TimerHandle_t)&handle);
    }
}

void *pvTimerGetTimerID(const TimerHandle_t timer)
{
    (void)timer;
    return timer_id;
}

/* The rest is called by none of the cases, or may do nothing. */
TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
    return (TaskHandle_t)&handle;
}
BaseType_t xTaskGenericNotify(TaskHandle_t task, UBaseType_t index, uint32_t value,
                              eNotifyAction action, uint32_t *before)
{
    (void)task;
    (void)index;
    (void)value;
    (void)action;
    (void)before;
    return pdPASS;
}
uint32_t ulTaskGenericNotifyTake(UBaseType_t index, BaseType_t clear, TickType_t wait)
{
    (void)index;
    (void)clear;
    (void)wait;
    return 0;
}
void vPortEnterCritical(void)
{
}
void vPortExitCritical(void)
{
}
uint64_t rtg_board_now_step(void)
{
    return 1;
}
rtg_stamp_t rtg_board_stamp_at(uint64_t ns)
{
    return ns;
}
uint32_t rtg_board_ns_per_instruction(void)
{
    return 0;
}
long rtg_board_read(void *to, size_t size)
{
    (void)to;
    (void)size;
    return 0;
}
int rtg_board_write(const void *from, size_t size)
{
    (void)from;
    (void)size;
    return RTG_OK;
}
bool rtg_board_stop_asked(void)
{
    return false;
}

/* ---- the cases ------------------------------------------------------------------ */

#define EXPECT(holds)                                                                              \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            printf("line %d: %s\n", __LINE__, #holds);                                             \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static void begin(uint64_t time_ns)
{
    struct rtg_limits limits = {.max_level = UINT32_MAX, .cpu = 0, .time_ns = time_ns};
    rtg_port_init(&limits);
}

/* The kernel steps over ticks: its count runs past the time, and no hook is called. */
static int watchdog_comes_after_ticks_without_a_hook(void)
{
    begin(0);
    rtg_watchdog(10 * TICK);
    for (int i = 0; i < 100; i++)
        tick(false);
    if (setjmp(ended) == 0)
        ticks(configUSE_TICKLESS_IDLE ? 1 : 11);
    EXPECT(ended_with == RTG_EXIT_WATCHDOG);
    return 0;
}

static int watchdog_waits_and_is_fed(void)
{
    begin(0);
    for (int i = 0; i < 50; i++) {
        rtg_watchdog(10 * TICK);
        ticks(9);
    }
    rtg_watchdog(0);
    ticks(100);
    rtg_watchdog(UINT64_MAX);
    ticks(100);
    rtg_watchdog(10 * TICK);
    uint64_t from = now_ns;
    if (setjmp(ended) == 0)
        ticks(1000);
    EXPECT(ended_with == RTG_EXIT_WATCHDOG);
    EXPECT(now_ns >= from + 10 * TICK && now_ns <= from + 11 * PERIOD);
    return 0;
}

static int time_limit_is_not_moved_by_the_watchdog(void)
{
    begin(100 * TICK);
    uint64_t from = now_ns;
    if (setjmp(ended) == 0) {
        for (int i = 0; i < 200; i++) {
            rtg_watchdog(1000 * TICK);
            tick(true);
        }
    }
    EXPECT(ended_with == RTG_EXIT_WATCHDOG);
    EXPECT(now_ns <= from + 101 * PERIOD);
    return 0;
}

static int clock_does_not_wrap(void)
{
    limit_ns = UINT64_C(5000000000);
    begin(UINT64_C(100000000000));
    if (setjmp(ended) == 0)
        ticks(10000);
    EXPECT(ended_with == RTG_EXIT_FAULT);
    EXPECT(ended_why != NULL && strstr(ended_why, "clock") != NULL);
    EXPECT(now_ns < limit_ns && now_ns > limit_ns / 2);
    return 0;
}

/* One call of the hook in a steady state does nothing but count. */
static int hook_is_quiet(void)
{
    begin(0);
    ticks(20);
    uint32_t left = rtg_freertos_ticks_left;
    ticks(5);
    EXPECT(left > 1000);
    EXPECT(left - rtg_freertos_ticks_left == 5);
    return 0;
}

/* From right after tick to tick: none is a period late, however long it goes on. */
static int sleep_is_no_tick_late(void)
{
    begin(0);
    for (int i = 0; i < 1000; i++) {
        uint64_t due = now_ns + 3 * TICK - TICK / 2;
        now_ns += TICK / 300; /* what the thread does before it sleeps */
        rtg_sleep_until(due);
        EXPECT(now_ns >= due);
        EXPECT(now_ns - due < PERIOD);
    }
    return 0;
}

static int no_tick_makes_a_sleep_late(void)
{
    begin(0);
    for (int reads = 1; reads <= 2; reads++) { /* after the third one vTaskDelay begins */
        uint64_t due = now_ns + 4 * TICK;
        reads_to_tick = reads;
        rtg_sleep_for(4 * TICK);
        reads_to_tick = 0;
        EXPECT(now_ns >= due && now_ns - due < PERIOD);
    }
    return 0;
}

/* Whether it is due on a tick or not, before or after a period. */
static int no_tick_makes_a_timer_late(void)
{
    begin(0);
    for (int i = 0; i < 4 * 4; i++) {
        struct rtg_timer t;
        TickType_t to_first = i / 4 % 2 == 0 ? 10 : 4, first = count + to_first;
        uint64_t period = i / 8 == 0 ? 7 * TICK : 7 * TICK + TICK / 10;
        reads_to_tick = i % 4;
        EXPECT(rtg_timer_create(&t, now_ns + to_first * TICK, period) == RTG_OK);
        reads_to_tick = 0;
        while (count < first + 50) {
            tick_and_expire();
            uint64_t passed = (count - first) * TICK;
            EXPECT(t.count == (count < first ? 0 : passed / period + 1));
        }
    }
    return 0;
}

static int no_tick_is_lost_by_a_look_at_the_wrong_moment(void)
{
    begin(0);
    for (int reads = 1; reads <= 4; reads++) {
        reads_to_tick = reads;
        EXPECT(freertos_ticks_lost() == 0);
        reads_to_tick = 0;
        ticks(3);
        EXPECT(freertos_ticks_lost() == 0);
    }
    now_ns += 2 * TICK; /* masked: one of two is lost */
    tick(true);
    EXPECT(freertos_ticks_lost() == (RTG_BOARD_TICK_IS_EXACT ? 1 : 0));
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } all[] = {
#define CASE(name) {#name, name}
        CASE(watchdog_comes_after_ticks_without_a_hook),
        CASE(watchdog_waits_and_is_fed),
        CASE(time_limit_is_not_moved_by_the_watchdog),
        CASE(clock_does_not_wrap),
        CASE(hook_is_quiet),
        CASE(sleep_is_no_tick_late),
        CASE(no_tick_makes_a_sleep_late),
        CASE(no_tick_makes_a_timer_late),
        CASE(no_tick_is_lost_by_a_look_at_the_wrong_moment),
    };
    for (unsigned i = 0; argc > 1 && i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, argv[1]) == 0)
            return all[i].run();
    }
    return 2;
}
