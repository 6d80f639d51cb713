/* The image's start: the scheduler with one task, in which the engine runs; and the kernel's
 * hooks. A firmware of its own (rtg_freertos.h) has these itself. */
#include "freertos.h"

static void engine(void *unused)
{
    (void)unused;
    rtg_board_exit(rtg_freertos_run());
}

void rtg_board_main(void)
{
    size_t words = rtg_freertos_stack() / sizeof(StackType_t);
    TaskHandle_t task;
    if (xTaskCreate(engine, "engine", (configSTACK_DEPTH_TYPE)words, NULL, FREERTOS_NORMAL,
                    &task) != pdPASS)
        rtg_board_fail("the engine's task could not be made", "the kernel's heap is too small");
    vTaskStartScheduler();
    rtg_board_fail("the scheduler could not be started", "the kernel's heap is too small");
}

void vApplicationTickHook(void);
void vApplicationTickHook(void)
{
    rtg_freertos_tick();
}

/* Without it the idle task spins. A board may say how it waits for the next interrupt instead,
 * where that changes nothing but the time that its emulator takes. */
#if configUSE_IDLE_HOOK && defined(RTG_BOARD_IDLE)
void vApplicationIdleHook(void);
void vApplicationIdleHook(void)
{
    RTG_BOARD_IDLE;
}
#endif

void vApplicationStackOverflowHook(TaskHandle_t task, char *name);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name)
{
    (void)task;
    rtg_board_fail("a stack overflowed", name);
}

void rtg_freertos_assert(const char *file, int line)
{
    (void)line;
    rtg_board_fail("an assertion of the kernel's does not hold", file);
}
