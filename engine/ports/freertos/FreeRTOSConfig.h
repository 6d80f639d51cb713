/*
 * FreeRTOSConfig.h - the options of the kernel in our own images. Each can be set otherwise by
 * RTG_FREERTOS_CONFIG; what is in force is reported as a fact, also of options that are left to
 * the kernel: configUSE_PORT_OPTIMISED_TASK_SELECTION configNUMBER_OF_CORES
 * configTASK_NOTIFICATION_ARRAY_ENTRIES configUSE_MINI_LIST_ITEM configRECORD_STACK_HIGH_ADDRESS
 */
#ifdef RTG_FREERTOS_OWN_CONFIG
#include RTG_FREERTOS_OWN_CONFIG /* a firmware has its own */
#elif !defined(FREERTOS_CONFIG_H)
#define FREERTOS_CONFIG_H

#if !defined(__ASSEMBLER__)
#include <stdint.h>
#endif

#include "rtg_board_freertos.h" /* clock, interrupt priorities, handlers, memory */

/* ---- the scheduler ---- */
#ifndef configUSE_PREEMPTION
#define configUSE_PREEMPTION 1
#endif
#ifndef configUSE_TIME_SLICING
#define configUSE_TIME_SLICING 0
#endif
#ifndef configTICK_RATE_HZ
#define configTICK_RATE_HZ 1000
#endif
#ifndef configMAX_PRIORITIES
#define configMAX_PRIORITIES 32
#endif
#ifndef configTICK_TYPE_WIDTH_IN_BITS
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#endif
#ifndef configMINIMAL_STACK_SIZE
#define configMINIMAL_STACK_SIZE 256
#endif
#ifndef configSTACK_DEPTH_TYPE
#define configSTACK_DEPTH_TYPE uint32_t
#endif
#ifndef configMAX_TASK_NAME_LEN
#define configMAX_TASK_NAME_LEN 8
#endif
#ifndef configIDLE_SHOULD_YIELD
#define configIDLE_SHOULD_YIELD 1
#endif
#ifndef configUSE_TICKLESS_IDLE
#define configUSE_TICKLESS_IDLE 0
#endif
#ifndef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK 0
#endif
#ifndef configUSE_TICK_HOOK
#define configUSE_TICK_HOOK 1
#endif

/* ---- what it offers ---- */
#ifndef configSUPPORT_DYNAMIC_ALLOCATION
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#endif
#ifndef configSUPPORT_STATIC_ALLOCATION
#define configSUPPORT_STATIC_ALLOCATION 1
#endif
#ifndef configKERNEL_PROVIDED_STATIC_MEMORY
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#endif
#ifndef configTOTAL_HEAP_SIZE
#define configTOTAL_HEAP_SIZE 65536
#endif
#ifndef configUSE_MUTEXES
#define configUSE_MUTEXES 1
#endif
#ifndef configUSE_RECURSIVE_MUTEXES
#define configUSE_RECURSIVE_MUTEXES 1
#endif
#ifndef configUSE_COUNTING_SEMAPHORES
#define configUSE_COUNTING_SEMAPHORES 1
#endif
#ifndef configUSE_TASK_NOTIFICATIONS
#define configUSE_TASK_NOTIFICATIONS 1
#endif
#ifndef configUSE_EVENT_GROUPS
#define configUSE_EVENT_GROUPS 1
#endif
#ifndef configUSE_STREAM_BUFFERS
#define configUSE_STREAM_BUFFERS 1
#endif
#ifndef configUSE_TIMERS
#define configUSE_TIMERS 1
#endif
#ifndef configTIMER_TASK_PRIORITY
#define configTIMER_TASK_PRIORITY (configMAX_PRIORITIES - 1)
#endif
#ifndef configTIMER_QUEUE_LENGTH
#define configTIMER_QUEUE_LENGTH 8
#endif
#ifndef configTIMER_TASK_STACK_DEPTH
#define configTIMER_TASK_STACK_DEPTH configMINIMAL_STACK_SIZE
#endif
#ifndef configNUM_THREAD_LOCAL_STORAGE_POINTERS
#define configNUM_THREAD_LOCAL_STORAGE_POINTERS 1
#endif
#ifndef configUSE_TRACE_FACILITY
#define configUSE_TRACE_FACILITY 0
#endif

/* ---- what it checks ---- */
#ifndef configCHECK_FOR_STACK_OVERFLOW
#define configCHECK_FOR_STACK_OVERFLOW 0
#endif
#ifndef configENABLE_HEAP_PROTECTOR
#define configENABLE_HEAP_PROTECTOR 0
#endif
#ifndef RTG_FREERTOS_ASSERT /* configASSERT=1 in RTG_FREERTOS_CONFIG */
#define RTG_FREERTOS_ASSERT 0
#endif
#if !defined(__ASSEMBLER__)
void rtg_freertos_assert(const char *file, int line);
#endif
#if RTG_FREERTOS_ASSERT
#define configASSERT(holds)                                                                        \
    do {                                                                                           \
        if (!(holds))                                                                              \
            rtg_freertos_assert(__FILE__, __LINE__);                                               \
    } while (0)
#endif

#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_uxTaskPriorityGet 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_eTaskGetState 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_xSemaphoreGetMutexHolder 1
#define INCLUDE_uxTaskGetStackHighWaterMark 1
#define INCLUDE_xTimerPendFunctionCall 1
#define INCLUDE_xTaskAbortDelay 1
#define INCLUDE_xTaskGetHandle 1

/* ---- evidence ---- */
#ifndef RTG_FREERTOS_COUNT /* of involuntary switches, which makes every switch longer */
#define RTG_FREERTOS_COUNT 0
#endif
#if RTG_FREERTOS_COUNT && !defined(__ASSEMBLER__)
#include "rtg_freertos_count.h"
#endif

#endif
