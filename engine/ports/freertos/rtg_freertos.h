/*
 * rtg_freertos.h - the engine inside a firmware that has its own main and FreeRTOSConfig.h.
 *
 * rtg_freertos_run() is called once, from a task with rtg_freertos_stack() bytes of stack at
 * least, when the scheduler runs. It reads the request, runs the tests, writes the trace, and
 * returns the engine's exit status. The firmware's vApplicationTickHook calls
 * rtg_freertos_tick().
 *
 * examples/freertos-firmware/ is one, with the options of FreeRTOSConfig.h that the engine needs.
 */
#ifndef RTG_FREERTOS_H
#define RTG_FREERTOS_H

#include <stddef.h>

int rtg_freertos_run(void);
size_t rtg_freertos_stack(void);
void rtg_freertos_tick(void);

#endif
