/* What the kernel offers and is: what it has is tried, what it has not is known. */
#include "freertos.h"
#include "rtg_features.h"

#include "features_try.h"

static const struct {
    uint16_t feature;
    bool (*works)(void); /* NULL: declared */
    const char *how;
} there[] = {
    {RTG_API_THREAD, freertos_try_task, "xTaskCreate, vTaskDelete"},
    {RTG_API_THREAD_SET_STACK_SIZE, freertos_try_task, "xTaskCreate"},
    {RTG_API_THREAD_SET_STACK_ADDRESS, freertos_try_static_task, "xTaskCreateStatic"},
    {RTG_API_THREAD_SET_CONTROL_BLOCK, freertos_try_static_task, "xTaskCreateStatic"},
    {RTG_API_THREAD_GET_STATE, freertos_try_state, "eTaskGetState"},
    {RTG_API_THREAD_SET_STATE, freertos_try_state, "vTaskSuspend, vTaskResume"},
    {RTG_API_THREAD_GET_PRIORITY, freertos_try_priority, "uxTaskPriorityGet"},
    {RTG_API_THREAD_SET_PRIORITY, freertos_try_priority, "vTaskPrioritySet"},
    {RTG_API_THREAD_GET_ID, freertos_try_id, "xTaskGetCurrentTaskHandle"},
    {RTG_API_THREAD_DISABLE_SCHEDULING, freertos_try_no_scheduling, "vTaskSuspendAll"},
    {RTG_API_CLOCK, freertos_try_ticks, "xTaskGetTickCount"},
    {RTG_API_CLOCK_GET_RESOLUTION, NULL, "declared: configTICK_RATE_HZ"},
    {RTG_API_INTERVAL_TIMER, freertos_try_one_shot, "xTimerCreate, xTimerStart"},
    {RTG_API_INTERVAL_TIMER_EXPIRE_AT_RELATIVE_DATE, freertos_try_one_shot, "xTimerStart"},
    {RTG_API_INTERVAL_TIMER_EXPIRE_CYCLICALLY, freertos_try_cyclic, "xTimerCreate, auto-reload"},
    {RTG_API_INTERVAL_TIMER_GET_REMAINING_TIME, freertos_try_remaining, "xTimerGetExpiryTime"},
    {RTG_API_INTERVAL_TIMER_ATTACH_USER_ROUTINE, freertos_try_one_shot, "xTimerCreate"},
    {RTG_API_VARIABLE_BLOCK_POOL, freertos_try_heap, "pvPortMalloc"},
    {RTG_API_VARIABLE_BLOCK_POOL_SET_POOL_SIZE, NULL, "declared: configTOTAL_HEAP_SIZE"},
    {RTG_API_VARIABLE_BLOCK_POOL_GET_BLOCK_NON_BLOCKING, freertos_try_heap, "pvPortMalloc"},
    {RTG_API_VARIABLE_BLOCK_POOL_RELEASE_BLOCK, freertos_try_heap, "vPortFree"},
    {RTG_API_VARIABLE_BLOCK_POOL_GET_FREE_BYTE_COUNT, freertos_try_free_bytes,
     "xPortGetFreeHeapSize"},
    {RTG_API_INTERRUPT_HANDLING, NULL, "declared: the calls whose names end in FromISR"},
    {RTG_API_INTERRUPT_HANDLING_DISABLE_OR_ENABLE_HARDWARE_INTERRUPTS, freertos_try_no_interrupts,
     "taskENTER_CRITICAL"},
    {RTG_API_COUNTING_SEMAPHORE, freertos_try_counting, "xSemaphoreCreateCounting"},
    {RTG_API_COUNTING_SEMAPHORE_SET_MAXIMUM_COUNT, freertos_try_counting,
     "xSemaphoreCreateCounting"},
    {RTG_API_COUNTING_SEMAPHORE_SET_INITIAL_VALUE, freertos_try_counting,
     "xSemaphoreCreateCounting"},
    {RTG_API_COUNTING_SEMAPHORE_WAIT_BLOCKING, freertos_try_counting_blocks, "xSemaphoreTake"},
    {RTG_API_COUNTING_SEMAPHORE_WAIT_NON_BLOCKING, freertos_try_counting_limits,
     "xSemaphoreTake of 0 ticks"},
    {RTG_API_COUNTING_SEMAPHORE_WAIT_TIMEOUT, freertos_try_counting_limits, "xSemaphoreTake"},
    {RTG_API_COUNTING_SEMAPHORE_POST, freertos_try_counting, "xSemaphoreGive"},
    {RTG_API_COUNTING_SEMAPHORE_GET_VALUE, freertos_try_counting, "uxSemaphoreGetCount"},
    {RTG_API_BINARY_SEMAPHORE, freertos_try_binary, "xSemaphoreCreateBinary"},
    {RTG_API_BINARY_SEMAPHORE_WAIT_BLOCKING, freertos_try_binary_blocks, "xSemaphoreTake"},
    {RTG_API_BINARY_SEMAPHORE_WAIT_NON_BLOCKING, freertos_try_binary_limits,
     "xSemaphoreTake of 0 ticks"},
    {RTG_API_BINARY_SEMAPHORE_WAIT_TIMEOUT, freertos_try_binary_limits, "xSemaphoreTake"},
    {RTG_API_BINARY_SEMAPHORE_POST, freertos_try_binary, "xSemaphoreGive"},
    {RTG_API_BINARY_SEMAPHORE_GET_STATUS, freertos_try_binary, "uxSemaphoreGetCount"},
    {RTG_API_MUTEX, freertos_try_mutex, "xSemaphoreCreateMutex"},
    {RTG_API_MUTEX_AVOID_PRIORITY_INVERSION, freertos_try_inheritance,
     "xSemaphoreTake of a mutex that a lower task holds"},
    {RTG_API_MUTEX_RECURSIVE_ACQUIRE, freertos_try_recursive, "xSemaphoreTakeRecursive"},
    {RTG_API_MUTEX_WAIT_BLOCKING, freertos_try_mutex, "xSemaphoreTake"},
    {RTG_API_MUTEX_WAIT_NON_BLOCKING, freertos_try_mutex_limits, "xSemaphoreTake of 0 ticks"},
    {RTG_API_MUTEX_WAIT_TIMEOUT, freertos_try_mutex_limits, "xSemaphoreTake"},
    {RTG_API_MUTEX_RELEASE, freertos_try_mutex, "xSemaphoreGive"},
    {RTG_API_MUTEX_GET_STATUS, freertos_try_owner, "xSemaphoreGetMutexHolder"},
    {RTG_API_MUTEX_GET_OWNER_THREAD_ID, freertos_try_owner, "xSemaphoreGetMutexHolder"},
    {RTG_API_EVENT_FLAGS, freertos_try_flags, "xEventGroupWaitBits"},
    {RTG_API_EVENT_FLAGS_SET_ONE_FLAG, freertos_try_flags, "xEventGroupSetBits"},
    {RTG_API_EVENT_FLAGS_SET_SEVERAL_FLAGS, freertos_try_flags, "xEventGroupSetBits"},
    {RTG_API_EVENT_FLAGS_PEND_ON_ONE, freertos_try_flags, "xEventGroupWaitBits"},
    {RTG_API_EVENT_FLAGS_PEND_ON_SEVERAL, freertos_try_flags_and_or, "xEventGroupWaitBits"},
    {RTG_API_EVENT_FLAGS_PEND_WITH_OR, freertos_try_flags_and_or, "xEventGroupWaitBits for any"},
    {RTG_API_EVENT_FLAGS_PEND_WITH_AND, freertos_try_flags_and_or, "xEventGroupWaitBits for all"},
    {RTG_API_EVENT_FLAGS_PEND_TIMEOUT, freertos_try_flags_limits, "xEventGroupWaitBits"},
    {RTG_API_MESSAGE_QUEUE, freertos_try_queue, "xQueueCreate, xQueueSend, xQueueReceive"},
    {RTG_API_MESSAGE_QUEUE_SET_MAXIMUM_MESSAGE_SIZE, freertos_try_queue, "xQueueCreate"},
    {RTG_API_MESSAGE_QUEUE_GET_MAXIMUM_MESSAGE_SIZE, freertos_try_queue, "uxQueueGetQueueItemSize"},
    {RTG_API_MESSAGE_QUEUE_SET_QUEUE_SIZE, freertos_try_queue, "xQueueCreate"},
    {RTG_API_MESSAGE_QUEUE_GET_QUEUE_SIZE, freertos_try_queue, "uxQueueGetQueueLength"},
    {RTG_API_MESSAGE_QUEUE_GET_QUEUED_MESSAGE_COUNT, freertos_try_queue, "uxQueueMessagesWaiting"},
    {RTG_API_MESSAGE_QUEUE_RECEIVE_BLOCKING, freertos_try_queue_blocks, "xQueueReceive"},
    {RTG_API_MESSAGE_QUEUE_RECEIVE_NON_BLOCKING, freertos_try_queue, "xQueueReceive of 0 ticks"},
    {RTG_API_MESSAGE_QUEUE_RECEIVE_TIMEOUT, freertos_try_queue_limits, "xQueueReceive"},
    {RTG_API_MESSAGE_QUEUE_SEND_OUT_OF_BAND, freertos_try_queue_front, "xQueueSendToFront"},
    {RTG_API_MESSAGE_QUEUE_SEND_TIMEOUT, freertos_try_queue_limits, "xQueueSend"},
    {RTG_API_MAILBOX, freertos_try_mailbox, "xQueueOverwrite, xQueuePeek"},
    {RTG_API_MAILBOX_SET_MAXIMUM_MESSAGE_SIZE, freertos_try_mailbox, "xQueueCreate"},
    {RTG_API_MAILBOX_GET_MAXIMUM_MESSAGE_SIZE, freertos_try_queue, "uxQueueGetQueueItemSize"},
    {RTG_API_MAILBOX_RECEIVE_BLOCKING, freertos_try_mailbox_blocks, "xQueuePeek"},
    {RTG_API_MAILBOX_RECEIVE_NON_BLOCKING, freertos_try_mailbox, "xQueuePeek of 0 ticks"},
    {RTG_API_MAILBOX_RECEIVE_TIMEOUT, freertos_try_mailbox_limits, "xQueuePeek"},
    {RTG_API_MAILBOX_GET_STATUS, freertos_try_mailbox, "uxQueueMessagesWaiting"},
};

/* Without meaning where there is one program, all of it in memory. */
static const uint16_t meaningless[] = {
    RTG_API_THREAD_LOCK_IN_MEMORY,
    RTG_API_FIXED_BLOCK_PARTITION_LOCK_OR_UNLOCK_PARTITION_IN_MEMORY,
    RTG_API_VARIABLE_BLOCK_POOL_LOCK_OR_UNLOCK_POOL_IN_MEMORY,
    RTG_API_VARIABLE_BLOCK_POOL_LOCK_OR_UNLOCK_BLOCK_IN_MEMORY,
    RTG_API_COUNTING_SEMAPHORE_SHARE_BETWEEN_PROCESSES,
    RTG_API_BINARY_SEMAPHORE_SHARE_BETWEEN_PROCESSES,
    RTG_API_MUTEX_SHARE_BETWEEN_PROCESSES,
    RTG_API_MESSAGE_QUEUE_SHARE_BETWEEN_PROCESSES,
    RTG_API_MAILBOX_SHARE_BETWEEN_PROCESSES,
};

int rtg_feature(uint32_t feature, const char **how)
{
    for (unsigned i = 0; i < sizeof there / sizeof *there; i++) {
        if (there[i].feature != feature)
            continue;
        *how = there[i].how;
        return there[i].works == NULL || there[i].works() ? RTG_OK : RTG_ENOSUP;
    }
    *how = "declared: one program, all of it in memory";
    for (unsigned i = 0; i < sizeof meaningless / sizeof *meaningless; i++) {
        if (meaningless[i] == feature)
            return RTG_EINVAL;
    }
    *how = feature < RTG_FIRST_API ? "declared: the kernel has no POSIX interface"
                                   : "declared: the kernel has no such call";
    return RTG_ENOSUP;
}

/* ---- traits --------------------------------------------------------------------- */

int rtg_trait(enum rtg_trait trait, struct rtg_trait_value *value)
{
    static const struct {
        bool known, holds;
        uint8_t number;
        const char *how;
    } traits[RTG_TRAITS] = {
        [RTG_TASK_MODEL] = {true, false, 0, "tasks and kernel are one program"},
        [RTG_TASK_STATES] = {true, true, 4, "running, ready, blocked, suspended"},
        [RTG_MMU] = {true, false, 0, "the kernel's layer used here knows no translation"},
        [RTG_PAGING] = {true, false, 0, "memory is what the linker laid out"},
        [RTG_PROTECTION] = {true, false, 0, "the kernel's layer used here protects nothing"},
        [RTG_PRIVILEGE] = {true, false, 0, "tasks run as privileged as the kernel"},
        [RTG_HANDLER_CONTEXT] = {true, true, 0, "handlers are no tasks"},
        [RTG_HANDLER_STACK] = {true, true, 0, "the stack of the board's start-up code"},
        [RTG_HANDLER_CALLS] = {true, false, 0, "those whose names end in FromISR only"},
    };
    const struct rtg_board_timer *timer = rtg_board_timers() > 1 ? rtg_board_timer_at(0) : NULL;
    if (trait == RTG_IRQ_NESTING && timer != NULL) {
        *value = (struct rtg_trait_value){.holds = timer->nests, .how = "the board says so"};
        return RTG_OK;
    }
    if (!traits[trait].known)
        return RTG_ENOSUP;
    *value = (struct rtg_trait_value){
        .holds = traits[trait].holds, .number = traits[trait].number, .how = traits[trait].how};
    return RTG_OK;
}
