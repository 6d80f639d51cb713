/* What the files of this port share. */
#ifndef RTG_FREERTOS_PORT_H
#define RTG_FREERTOS_PORT_H

#include "FreeRTOS.h"

#include "event_groups.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

#include "rtgauge/board.h"
#include "rtgauge/port.h"

#include "rtg_freertos.h"

#if configNUM_THREAD_LOCAL_STORAGE_POINTERS < 1 || !configUSE_TICK_HOOK || !configUSE_MUTEXES ||   \
    !configUSE_COUNTING_SEMAPHORES || !configUSE_RECURSIVE_MUTEXES || !configUSE_TIMERS ||         \
    !configSUPPORT_DYNAMIC_ALLOCATION || !configUSE_TASK_NOTIFICATIONS
#error "FreeRTOSConfig.h lacks an option that the engine needs: see examples/freertos-firmware"
#endif

/* Whether this image is one of round robin. Only tests of the tests set it to what is not so. */
#ifndef RTG_FREERTOS_SLICES
#define RTG_FREERTOS_SLICES configUSE_TIME_SLICING
#endif

/* Priorities: 0 is the idle task's alone, 1 the normal class's, the highest that of the timer
 * task; the levels lie between. */
enum {
    FREERTOS_NORMAL = tskIDLE_PRIORITY + 1,
    FREERTOS_LOWEST = FREERTOS_NORMAL + 1,
    FREERTOS_LEVELS = configTIMER_TASK_PRIORITY - FREERTOS_LOWEST,
    FREERTOS_GRID_TICKS = 8, /* from which the grid of ticks is found */
    FREERTOS_OWN = 0,        /* index of the thread-local pointer to a thread's struct rtg_thread */
};

#define FREERTOS_TICK_NS (UINT64_C(1000000000) / configTICK_RATE_HZ)

/* Rate of the timer that makes the tick, Hz; where nobody says it, it is taken to fit. */
#ifndef RTG_BOARD_TICK_TIMER_HZ
#ifdef configSYSTICK_CLOCK_HZ
#define RTG_BOARD_TICK_TIMER_HZ configSYSTICK_CLOCK_HZ
#elif defined configCPU_CLOCK_HZ
#define RTG_BOARD_TICK_TIMER_HZ configCPU_CLOCK_HZ
#else
#define RTG_BOARD_TICK_TIMER_HZ configTICK_RATE_HZ
#endif
#endif

/* Whether the board's clock and its ticks come from one source and every period of the tick is
 * FREERTOS_TICK_NS, to the ns: then one tick tells the time of all others. Any other grid would
 * drift away from the ticks. An expression, for rates may be casts or variables. */
#ifndef RTG_BOARD_TICK_IS_EXACT
#define RTG_BOARD_TICK_IS_EXACT                                                                    \
    (!configUSE_TICKLESS_IDLE && UINT64_C(1000000000) % configTICK_RATE_HZ == 0 &&                 \
     (uint64_t)(RTG_BOARD_TICK_TIMER_HZ) % configTICK_RATE_HZ == 0)
#endif

extern struct rtg_limits freertos_limits;

/* Whether switches are counted (rtg_freertos_count.h). */
#ifndef RTG_FREERTOS_COUNT
#define RTG_FREERTOS_COUNT 0
#endif
extern volatile uint32_t rtg_freertos_voluntary;

/* The caller's own; NULL for tasks that the port did not make. */
static inline struct rtg_thread *freertos_self(void)
{
    return pvTaskGetThreadLocalStoragePointer(NULL, FREERTOS_OWN);
}

/* Makes the calling task, which is none of rtg_thread_create's, known as a normal thread. */
void freertos_adopt_caller(void);

/* Ticks that came without being counted, since this was first asked. 0 where ticks are not exact:
 * there nothing tells. */
uint64_t freertos_ticks_lost(void);
/* What one call of the tick's hook took when the engine started, ns. */
uint64_t freertos_tick_hook_ns(void);

/* Blocks by `wait` until it gives a result or due_ns has passed: RTG_OK or RTG_ETIMEOUT. */
typedef BaseType_t (*freertos_wait_fn)(void *object, void *message, TickType_t ticks);
int freertos_wait_until(freertos_wait_fn wait, void *object, void *message, uint64_t due_ns);

/* Called by the tick's hook when something is due: whether they are to be called by the next
 * tick, too. */
bool freertos_time_tick(uint64_t now);
bool freertos_irq_tick(void);

#endif
