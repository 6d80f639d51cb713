/* linux_irq_module.h - sources of interrupts that our kernel module offers, as far as they
 * are there; indices from 0 up. The calls are those of port.h without the prefix. */
#ifndef RTGAUGE_LINUX_IRQ_MODULE_H
#define RTGAUGE_LINUX_IRQ_MODULE_H

#include "rtgauge/port.h"

int linux_module_source(uint32_t index, struct rtg_irq_source *source);
int linux_module_open(uint32_t index, const struct rtg_clock *clock, const char **why);
void linux_module_close(uint32_t index);
int linux_module_fire(uint32_t index, uint64_t due_ns, uint64_t hold_ns);
int linux_module_repeat(uint32_t index, uint64_t first_ns, uint64_t period_ns, uint64_t n);
int linux_module_count(uint32_t index, struct rtg_irq_count *count);
int linux_module_wait(uint32_t index);
int linux_module_cancel(uint32_t index);
int linux_module_marks(uint32_t index, struct rtg_irq_mark *mark, uint32_t n, uint64_t *lost);

#endif
