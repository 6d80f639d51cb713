/* The simulator's part of FreeRTOSConfig.h. */
#ifndef RTG_BOARD_FREERTOS_H
#define RTG_BOARD_FREERTOS_H

#ifndef configTOTAL_HEAP_SIZE
#define configTOTAL_HEAP_SIZE (32 * 1024 * 1024)
#endif
#ifndef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK 1 /* gives the machine's CPU to others */
#endif
#define RTG_BOARD_TICK_IS_EXACT 0 /* a thread that sleeps makes it */

#endif
