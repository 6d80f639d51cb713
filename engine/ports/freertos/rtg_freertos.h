/*
 * rtg_freertos.h - the engine inside a firmware that has its own main and FreeRTOSConfig.h.
 *
 * rtg_freertos_run() is called once, from a task with rtg_freertos_stack() bytes of stack at
 * least, when the scheduler runs. It reads the request, runs the tests, writes the trace, and
 * returns the engine's exit status. The firmware's vApplicationTickHook calls
 * rtg_freertos_tick(): six instructions or so in each tick, which the engine measures when it
 * starts and reports.
 *
 * examples/freertos-firmware/ is one, with the options of FreeRTOSConfig.h that the engine needs.
 */
#ifndef RTG_FREERTOS_H
#define RTG_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

int rtg_freertos_run(void);
size_t rtg_freertos_stack(void);

/* Ticks up to the one at which the port has something to do, that one included; and what it does
 * then, which sets the number anew. Both are rtg_freertos_tick's alone. */
extern volatile uint32_t rtg_freertos_ticks_left;
void rtg_freertos_tick_due(void);

/* In the tick's interrupt. Short, for tests count it as a part of the tick. */
static inline void rtg_freertos_tick(void)
{
    uint32_t left = rtg_freertos_ticks_left - 1;
    rtg_freertos_ticks_left = left;
    if (left == 0)
        rtg_freertos_tick_due();
}

#endif
