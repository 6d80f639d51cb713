/* FreeRTOS's heap in a section of its own: never filled at start, placed by the linker script. */
#include "FreeRTOS.h"

#if configAPPLICATION_ALLOCATED_HEAP == 1
__attribute__((section(".heap"), aligned(16))) uint8_t ucHeap[configTOTAL_HEAP_SIZE];
#endif
