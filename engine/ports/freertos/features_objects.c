/* Semaphores, mutexes, flags and queues, tried: by a second task above the caller where two are
 * needed, which so runs until it blocks as soon as it can. */
#include "freertos.h"

#include "features_try.h"

enum { STACK = RTG_THREAD_STACK / sizeof(StackType_t), SOON = 2 };

static void *object;
static volatile bool done;

/* Runs `function` above the caller, then `release`, and says whether the first was done after
 * the second and not before. */
static bool waits_for(TaskFunction_t function, void (*release)(void))
{
    TaskHandle_t task;
    done = false;
    if (xTaskCreate(function, "try", STACK, NULL, configTIMER_TASK_PRIORITY, &task) != pdPASS)
        return false;
    bool waited = !done;
    release();
    bool right = waited && done;
    vTaskDelete(task);
    return right;
}

static void finish(BaseType_t right)
{
    done = right == pdTRUE;
    for (;;)
        vTaskSuspend(NULL);
}

/* Whether `made` does what `check` says; it is deleted. */
static bool with(SemaphoreHandle_t made, bool (*check)(void))
{
    object = made;
    if (made == NULL)
        return false;
    bool right = check();
    vSemaphoreDelete(made);
    return right;
}

static bool take(TickType_t ticks)
{
    return xSemaphoreTake((SemaphoreHandle_t)object, ticks) == pdTRUE;
}

static bool give(void)
{
    return xSemaphoreGive((SemaphoreHandle_t)object) == pdTRUE;
}

static void give_it(void)
{
    give();
}

static void take_it(void *unused)
{
    (void)unused;
    finish(take(portMAX_DELAY));
}

static bool blocks(void)
{
    return waits_for(take_it, give_it);
}

/* Nothing is to be had: at once, and after some ticks. */
static bool limits(void)
{
    TickType_t before = xTaskGetTickCount();
    return !take(0) && !take(SOON) && (TickType_t)(xTaskGetTickCount() - before) >= SOON;
}

/* ---- semaphores ------------------------------------------------------------- */

static bool counts(void)
{
    return uxSemaphoreGetCount((SemaphoreHandle_t)object) == 2 && take(0) && give() && give() &&
           !give() && uxSemaphoreGetCount((SemaphoreHandle_t)object) == 3;
}

bool freertos_try_counting(void)
{
    return with(xSemaphoreCreateCounting(3, 2), counts);
}

bool freertos_try_counting_blocks(void)
{
    return with(xSemaphoreCreateCounting(3, 0), blocks);
}

bool freertos_try_counting_limits(void)
{
    return with(xSemaphoreCreateCounting(3, 0), limits);
}

static bool is_binary(void)
{
    return !take(0) && give() && !give() && uxSemaphoreGetCount((SemaphoreHandle_t)object) == 1;
}

bool freertos_try_binary(void)
{
    return with(xSemaphoreCreateBinary(), is_binary);
}

bool freertos_try_binary_blocks(void)
{
    return with(xSemaphoreCreateBinary(), blocks);
}

bool freertos_try_binary_limits(void)
{
    return with(xSemaphoreCreateBinary(), limits);
}

/* ---- mutexes ------------------------------------------------------------------ */

static bool held_blocks(void)
{
    return take(0) && blocks();
}

static bool held_limits(void)
{
    return take(0) && limits() && give();
}

bool freertos_try_mutex(void)
{
    return with(xSemaphoreCreateMutex(), held_blocks);
}

bool freertos_try_mutex_limits(void)
{
    return with(xSemaphoreCreateMutex(), held_limits);
}

static UBaseType_t own, boosted;

static void look_and_give(void)
{
    boosted = uxTaskPriorityGet(NULL);
    give();
}

static bool inherits(void)
{
    own = uxTaskPriorityGet(NULL);
    return take(0) && waits_for(take_it, look_and_give) && boosted == configTIMER_TASK_PRIORITY &&
           uxTaskPriorityGet(NULL) == own;
}

bool freertos_try_inheritance(void)
{
    return with(xSemaphoreCreateMutex(), inherits);
}

static bool recurs(void)
{
    SemaphoreHandle_t mutex = object;
    return xSemaphoreTakeRecursive(mutex, 0) == pdTRUE &&
           xSemaphoreTakeRecursive(mutex, 0) == pdTRUE &&
           xSemaphoreGiveRecursive(mutex) == pdTRUE && xSemaphoreGiveRecursive(mutex) == pdTRUE &&
           xSemaphoreGiveRecursive(mutex) == pdFALSE;
}

bool freertos_try_recursive(void)
{
    return with(xSemaphoreCreateRecursiveMutex(), recurs);
}

static bool tells_owner(void)
{
    SemaphoreHandle_t mutex = object;
    bool none = xSemaphoreGetMutexHolder(mutex) == NULL;
    bool me = take(0) && xSemaphoreGetMutexHolder(mutex) == xTaskGetCurrentTaskHandle();
    return none && me && give();
}

bool freertos_try_owner(void)
{
    return with(xSemaphoreCreateMutex(), tells_owner);
}

/* ---- event groups --------------------------------------------------------------- */

enum { ONE = 1, TWO = 2, ALL = 3 };
static EventBits_t wanted;
static BaseType_t all_of_them;

static void wait_for_flags(void *unused)
{
    (void)unused;
    EventBits_t bits =
        xEventGroupWaitBits((EventGroupHandle_t)object, wanted, pdTRUE, all_of_them, portMAX_DELAY);
    finish((bits & wanted) != 0);
}

static void set_one(void)
{
    xEventGroupSetBits((EventGroupHandle_t)object, ONE);
}

static void set_both(void)
{
    xEventGroupSetBits((EventGroupHandle_t)object, ALL);
}

static bool flags(EventBits_t bits, BaseType_t all, void (*release)(void))
{
    EventGroupHandle_t group = xEventGroupCreate();
    object = group;
    if (group == NULL)
        return false;
    wanted = bits;
    all_of_them = all;
    bool right = waits_for(wait_for_flags, release);
    vEventGroupDelete(group);
    return right;
}

bool freertos_try_flags(void)
{
    return flags(ONE, pdFALSE, set_one) && flags(TWO, pdFALSE, set_both);
}

bool freertos_try_flags_and_or(void)
{
    return flags(ALL, pdFALSE, set_one) && flags(ALL, pdTRUE, set_both) &&
           !flags(ALL, pdTRUE, set_one);
}

bool freertos_try_flags_limits(void)
{
    EventGroupHandle_t group = xEventGroupCreate();
    TickType_t before = xTaskGetTickCount();
    if (group == NULL)
        return false;
    EventBits_t bits = xEventGroupWaitBits(group, ONE, pdTRUE, pdTRUE, SOON);
    vEventGroupDelete(group);
    return bits == 0 && (TickType_t)(xTaskGetTickCount() - before) >= SOON;
}

/* ---- queues ------------------------------------------------------------------------ */

enum { LENGTH = 3 };

static bool with_queue(UBaseType_t length, bool (*check)(void))
{
    QueueHandle_t queue = xQueueCreate(length, sizeof(uint32_t));
    object = queue;
    if (queue == NULL)
        return false;
    bool right = check();
    vQueueDelete(queue);
    return right;
}

static bool send(uint32_t number)
{
    return xQueueSend((QueueHandle_t)object, &number, 0) == pdTRUE;
}

static bool receive(uint32_t number)
{
    uint32_t got = 0;
    return xQueueReceive((QueueHandle_t)object, &got, 0) == pdTRUE && got == number;
}

static bool passes_on(void)
{
    QueueHandle_t queue = object;
    return uxQueueGetQueueLength(queue) == LENGTH &&
           uxQueueGetQueueItemSize(queue) == sizeof(uint32_t) && send(7) && send(8) &&
           uxQueueMessagesWaiting(queue) == 2 && receive(7) && receive(8);
}

bool freertos_try_queue(void)
{
    return with_queue(LENGTH, passes_on);
}

static void receive_it(void *unused)
{
    uint32_t got = 0;
    (void)unused;
    BaseType_t came = xQueueReceive((QueueHandle_t)object, &got, portMAX_DELAY);
    finish(came == pdTRUE && got == 9);
}

static void send_it(void)
{
    send(9);
}

static bool queue_blocks(void)
{
    return waits_for(receive_it, send_it);
}

bool freertos_try_queue_blocks(void)
{
    return with_queue(LENGTH, queue_blocks);
}

static bool queue_limits(void)
{
    uint32_t some = 1;
    QueueHandle_t queue = object;
    TickType_t before = xTaskGetTickCount();
    return xQueueReceive(queue, &some, SOON) == pdFALSE && send(1) && send(2) && send(3) &&
           xQueueSend(queue, &some, SOON) == pdFALSE &&
           (TickType_t)(xTaskGetTickCount() - before) >= 2 * SOON;
}

bool freertos_try_queue_limits(void)
{
    return with_queue(LENGTH, queue_limits);
}

static bool overtakes(void)
{
    uint32_t urgent = 5;
    return send(4) && xQueueSendToFront((QueueHandle_t)object, &urgent, 0) == pdTRUE &&
           receive(5) && receive(4);
}

bool freertos_try_queue_front(void)
{
    return with_queue(LENGTH, overtakes);
}

/* ---- mailboxes: queues of one item, which is written over and looked at ------------ */

static bool overwrites(void)
{
    uint32_t first = 1, second = 2, got = 0;
    QueueHandle_t queue = object;
    xQueueOverwrite(queue, &first);
    xQueueOverwrite(queue, &second);
    return xQueuePeek(queue, &got, 0) == pdTRUE && got == 2 && uxQueueMessagesWaiting(queue) == 1;
}

bool freertos_try_mailbox(void)
{
    return with_queue(1, overwrites);
}

static void peek_it(void *unused)
{
    uint32_t got = 0;
    (void)unused;
    BaseType_t came = xQueuePeek((QueueHandle_t)object, &got, portMAX_DELAY);
    finish(came == pdTRUE && got == 9);
}

static bool mailbox_blocks(void)
{
    return waits_for(peek_it, send_it);
}

bool freertos_try_mailbox_blocks(void)
{
    return with_queue(1, mailbox_blocks);
}

static bool mailbox_limits(void)
{
    uint32_t some;
    TickType_t before = xTaskGetTickCount();
    return xQueuePeek((QueueHandle_t)object, &some, SOON) == pdFALSE &&
           (TickType_t)(xTaskGetTickCount() - before) >= SOON;
}

bool freertos_try_mailbox_limits(void)
{
    return with_queue(1, mailbox_limits);
}
