/* The board's part of FreeRTOSConfig.h. Each value can be given otherwise on the command line. */
#ifndef RTG_BOARD_FREERTOS_H
#define RTG_BOARD_FREERTOS_H

#ifndef configCPU_CLOCK_HZ
#define configCPU_CLOCK_HZ 10000000 /* of mtime, which makes the tick */
#endif
#ifndef configTICK_TYPE_WIDTH_IN_BITS
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_64_BITS
#endif
#define configMTIME_BASE_ADDRESS 0x0200bff8
#define configMTIMECMP_BASE_ADDRESS 0x02004000

#ifndef configMINIMAL_STACK_SIZE
#define configMINIMAL_STACK_SIZE 256 /* words of 8 bytes */
#endif
#ifndef configTOTAL_HEAP_SIZE
#define configTOTAL_HEAP_SIZE (32 * 1024 * 1024)
#endif
#define configAPPLICATION_ALLOCATED_HEAP 1 /* boards/common/freertos_heap.c */

#endif
