/* For FreeRTOSConfig.h: counts, as evidence of the tests, the switches away from a task that could
 * run and did not ask for it. The kernel counts nothing of the kind. The count is the first word
 * of what the task's first thread-local pointer points to. It adds some 15 instructions to
 * every switch, so images that measure do without: RTG_FREERTOS_COUNT=1 asks for it. */
#ifndef RTG_FREERTOS_COUNT_H
#define RTG_FREERTOS_COUNT_H

#include <stdint.h>

extern volatile uint32_t rtg_freertos_voluntary; /* the switch under way was asked for */

#define traceTASK_SWITCHED_OUT()                                                                   \
    do {                                                                                           \
        if (listLIST_ITEM_CONTAINER(&pxCurrentTCB->xStateListItem) ==                              \
            &pxReadyTasksLists[pxCurrentTCB->uxPriority]) {                                        \
            if (rtg_freertos_voluntary != 0)                                                       \
                rtg_freertos_voluntary = 0;                                                        \
            else if (pxCurrentTCB->pvThreadLocalStoragePointers[0] != NULL)                        \
                ++*(volatile uint32_t *)pxCurrentTCB->pvThreadLocalStoragePointers[0];             \
        }                                                                                          \
    } while (0)

#endif
