/* Tasks, time, memory and interrupts, tried. */
#include "freertos.h"

#include "features_try.h"

enum { STACK = RTG_THREAD_STACK / sizeof(StackType_t), SOON = 2 };

static volatile unsigned ran;
static void *volatile seen;

static void run_and_wait(void *unused)
{
    char here;
    (void)unused;
    seen = &here;
    ran++;
    for (;;)
        vTaskSuspend(NULL);
}

/* A task above the caller, which so has run when this returns; NULL: there is none. */
static TaskHandle_t above(TaskFunction_t function)
{
    TaskHandle_t task = NULL;
    if (xTaskCreate(function, "try", STACK, NULL, configTIMER_TASK_PRIORITY, &task) != pdPASS)
        return NULL;
    return task;
}

bool freertos_try_task(void)
{
    ran = 0;
    TaskHandle_t task = above(run_and_wait);
    if (task == NULL)
        return false;
    vTaskDelete(task);
    return ran == 1;
}

bool freertos_try_static_task(void)
{
    static StaticTask_t block;
    static StackType_t stack[STACK];
    seen = NULL;
    TaskHandle_t task = xTaskCreateStatic(run_and_wait, "try", STACK, NULL,
                                          configTIMER_TASK_PRIORITY, stack, &block);
    if (task == NULL)
        return false;
    vTaskDelete(task);
    return (char *)seen >= (char *)stack && (char *)seen < (char *)(stack + STACK);
}

bool freertos_try_state(void)
{
    ran = 0;
    TaskHandle_t task = above(run_and_wait);
    if (task == NULL)
        return false;
    bool right = eTaskGetState(task) == eSuspended;
    vTaskResume(task); /* it runs, and suspends itself once more */
    vTaskPrioritySet(task, tskIDLE_PRIORITY);
    vTaskResume(task);
    right = right && eTaskGetState(task) == eReady;
    vTaskSuspend(task);
    right = right && eTaskGetState(task) == eSuspended;
    vTaskDelete(task);
    return right;
}

bool freertos_try_priority(void)
{
    TaskHandle_t task = above(run_and_wait);
    if (task == NULL)
        return false;
    vTaskPrioritySet(task, FREERTOS_NORMAL);
    bool right = uxTaskPriorityGet(task) == FREERTOS_NORMAL;
    vTaskDelete(task);
    return right;
}

bool freertos_try_id(void)
{
    TaskHandle_t task = above(run_and_wait);
    bool right = task != NULL && task != xTaskGetCurrentTaskHandle();
    if (task != NULL)
        vTaskDelete(task);
    return right;
}

bool freertos_try_no_scheduling(void)
{
    ran = 0;
    vTaskSuspendAll();
    bool stopped = xTaskGetSchedulerState() == taskSCHEDULER_SUSPENDED;
    xTaskResumeAll();
    return stopped && xTaskGetSchedulerState() == taskSCHEDULER_RUNNING;
}

/* ---- time ------------------------------------------------------------------- */

bool freertos_try_ticks(void)
{
    TickType_t before = xTaskGetTickCount();
    vTaskDelay(SOON);
    return (TickType_t)(xTaskGetTickCount() - before) >= SOON;
}

static void count(TimerHandle_t timer)
{
    (void)timer;
    ran++;
}

static bool expires(BaseType_t again, TickType_t wait, unsigned wanted)
{
    ran = 0;
    TimerHandle_t timer = xTimerCreate("try", SOON, again, NULL, count);
    if (timer == NULL)
        return false;
    xTimerStart(timer, portMAX_DELAY);
    vTaskDelay(wait);
    unsigned times = ran;
    xTimerDelete(timer, portMAX_DELAY);
    return again == pdTRUE ? times >= wanted : times == wanted;
}

bool freertos_try_one_shot(void)
{
    return expires(pdFALSE, 4 * SOON, 1);
}

bool freertos_try_cyclic(void)
{
    return expires(pdTRUE, 4 * SOON, 3);
}

bool freertos_try_remaining(void)
{
    enum { FAR = 1000 };
    TimerHandle_t timer = xTimerCreate("try", FAR, pdFALSE, NULL, count);
    if (timer == NULL)
        return false;
    xTimerStart(timer, portMAX_DELAY);
    TickType_t left = xTimerGetExpiryTime(timer) - xTaskGetTickCount();
    xTimerDelete(timer, portMAX_DELAY);
    return left > FAR / 2 && left <= FAR;
}

/* ---- memory and interrupts ----------------------------------------------------- */

bool freertos_try_heap(void)
{
    void *one = pvPortMalloc(100), *other = pvPortMalloc(1000);
    bool right = one != NULL && other != NULL && one != other;
    vPortFree(one);
    vPortFree(other);
    return right;
}

bool freertos_try_free_bytes(void)
{
    size_t before = xPortGetFreeHeapSize();
    void *one = pvPortMalloc(100);
    size_t less = xPortGetFreeHeapSize();
    vPortFree(one);
    return less <= before - 100 && xPortGetFreeHeapSize() == before;
}

/* No tick comes in while two of them pass. */
bool freertos_try_no_interrupts(void)
{
    vTaskDelay(1);
    uint64_t end = rtg_board_now() + 2 * FREERTOS_TICK_NS;
    taskENTER_CRITICAL();
    TickType_t before = xTaskGetTickCount();
    while (rtg_board_now() < end) {
    }
    bool held = xTaskGetTickCount() == before;
    taskEXIT_CRITICAL();
    vTaskDelay(1);
    return held && xTaskGetTickCount() != before;
}
