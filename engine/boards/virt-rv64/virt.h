/* What more than one of the board's files uses. */
#ifndef RTG_VIRT_H
#define RTG_VIRT_H

#include <stdint.h>

/* Where start.S goes on, and what its handler of traps calls. */
_Noreturn void rtg_virt_start(void);
_Noreturn void rtg_virt_fault(uintptr_t cause, uintptr_t address);

void rtg_virt_timers_init(void);
void rtg_virt_tick_start(void);

/* Of the kernel: what its trap handler calls for what it does not know. */
void freertos_risc_v_application_interrupt_handler(uintptr_t cause);
void freertos_risc_v_application_exception_handler(uintptr_t cause, uintptr_t next);

#endif
