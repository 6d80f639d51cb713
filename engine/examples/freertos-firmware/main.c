/* A firmware with a task of its own, which blinks what would be a light, and one in which
 * rtgauge's engine runs. */
#include "FreeRTOS.h"
#include "task.h"

#include "rtg_freertos.h"
#include "rtgauge/board.h"

static volatile unsigned blinks;

static void blink(void *unused)
{
    (void)unused;
    for (;;) {
        blinks++;
        vTaskDelay(pdMS_TO_TICKS(100));
    }
}

static void measure(void *unused)
{
    (void)unused;
    int status = rtg_freertos_run();
    rtg_board_say(blinks != 0 ? "firmware: the light has blinked" : "firmware: the light is dark");
    rtg_board_exit(status);
}

/* This board's start-up code calls it in place of main. */
void rtg_board_main(void)
{
    size_t words = rtg_freertos_stack() / sizeof(StackType_t);
    xTaskCreate(blink, "blink", configMINIMAL_STACK_SIZE, NULL, tskIDLE_PRIORITY + 1, NULL);
    xTaskCreate(measure, "rtgauge", words, NULL, tskIDLE_PRIORITY + 1, NULL);
    vTaskStartScheduler();
    rtg_board_fail("firmware: the scheduler could not be started", NULL);
}

void vApplicationTickHook(void);
void vApplicationTickHook(void)
{
    rtg_freertos_tick();
}

void vApplicationStackOverflowHook(TaskHandle_t task, char *name);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name)
{
    (void)task;
    rtg_board_fail("firmware: a stack overflowed", name);
}
