/* What more than one of the board's files uses. */
#ifndef RTG_VIRT_H
#define RTG_VIRT_H

#include <stdbool.h>
#include <stdint.h>

/* Private interrupts of the processor: the generic timer's comparators. */
enum { VIRT_EL2_TIMER_IRQ = 26, VIRT_VIRTUAL_IRQ = 27, VIRT_PHYSICAL_IRQ = 30 };

/* Where start.S goes on; whether it began at EL2. */
_Noreturn void rtg_virt_start(bool from_el2);

/* Never returns: vector's number, and the registers ESR, ELR and FAR. */
_Noreturn void rtg_virt_fault(unsigned vector, uint64_t syndrome, uint64_t address, uint64_t data);

void rtg_virt_gic_init(void);
/* Lets a private interrupt come, at one of the levels of rtg_board_freertos.h. */
void rtg_virt_gic_enable(uint32_t irq, uint32_t level);

void rtg_virt_timers_init(bool has_el2);

/* ns in whole ticks of the generic timer, rounded up. */
uint64_t rtg_virt_ticks(uint64_t ns);
uint64_t rtg_virt_hz(void);

/* Of the kernel: what its assembly code calls for each interrupt, and its own of the tick. */
void vApplicationIRQHandler(uint32_t acknowledged);
void vApplicationFPUSafeIRQHandler(uint32_t acknowledged);
void FreeRTOS_Tick_Handler(void);

#endif
