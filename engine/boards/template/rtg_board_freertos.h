/* The board's part of FreeRTOSConfig.h: what the kernel's files for the processor ask for. The port
 * has the rest. Each value can be given otherwise on the command line. */
#ifndef RTG_BOARD_FREERTOS_H
#define RTG_BOARD_FREERTOS_H

#ifndef configCPU_CLOCK_HZ
#define configCPU_CLOCK_HZ 1000000UL /* of the timer that makes the tick */
#endif
#ifndef configTICK_TYPE_WIDTH_IN_BITS
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#endif

/* As numbers of the interrupt controller: a smaller number is more urgent. */
#define configPRIO_BITS 3
#ifndef configKERNEL_INTERRUPT_PRIORITY
#define configKERNEL_INTERRUPT_PRIORITY 255
#endif
#ifndef configMAX_SYSCALL_INTERRUPT_PRIORITY
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x20
#endif

#ifndef configMINIMAL_STACK_SIZE
#define configMINIMAL_STACK_SIZE 128 /* words */
#endif
#ifndef configTOTAL_HEAP_SIZE
#define configTOTAL_HEAP_SIZE (256 * 1024)
#endif
#define configAPPLICATION_ALLOCATED_HEAP 1 /* boards/common/freertos_heap.c */

#endif
