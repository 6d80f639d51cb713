/* The board's part of FreeRTOSConfig.h. Each value can be given otherwise on the command line. */
#ifndef RTG_BOARD_FREERTOS_H
#define RTG_BOARD_FREERTOS_H

#ifndef configTICK_TYPE_WIDTH_IN_BITS
#define configTICK_TYPE_WIDTH_IN_BITS                                                              \
    TICK_TYPE_WIDTH_64_BITS /* the only one that the kernel has here */
#endif

/* Of the interrupt controller: 32 levels, a smaller number is more urgent. The tick has 30, the
 * board's timers 24 and 20, and all of them may call the kernel. */
#define configUNIQUE_INTERRUPT_PRIORITIES 32
#ifndef configMAX_API_CALL_INTERRUPT_PRIORITY
#define configMAX_API_CALL_INTERRUPT_PRIORITY 18
#endif

#define configINTERRUPT_CONTROLLER_BASE_ADDRESS 0x08000000UL /* of a GICv2 */
#define configINTERRUPT_CONTROLLER_CPU_INTERFACE_OFFSET 0x10000UL

#ifndef configUSE_TASK_FPU_SUPPORT
#define configUSE_TASK_FPU_SUPPORT 1 /* saved for those that ask for it */
#endif

#ifndef __ASSEMBLER__
#include "virt.h"
#include <string.h> /* the kernel fills registers with memset where all threads have them saved */
void rtg_virt_tick_start(unsigned long per_second);
void rtg_virt_tick_next(void);
#endif
#define RTG_BOARD_TICK_TIMER_HZ rtg_virt_hz() /* whoever starts the machine says it */
#define configSETUP_TICK_INTERRUPT() rtg_virt_tick_start(configTICK_RATE_HZ)
#define configCLEAR_TICK_INTERRUPT() rtg_virt_tick_next()

#ifndef configMINIMAL_STACK_SIZE
#define configMINIMAL_STACK_SIZE 256 /* words of 8 bytes */
#endif
#ifndef configTOTAL_HEAP_SIZE
#define configTOTAL_HEAP_SIZE (32 * 1024 * 1024)
#endif
#define configAPPLICATION_ALLOCATED_HEAP 1 /* boards/common/freertos_heap.c */

#endif
