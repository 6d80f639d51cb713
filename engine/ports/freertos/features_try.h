/* The kernel's services, each tried on the running system; true: it does what it should. */
#ifndef RTG_FREERTOS_FEATURES_TRY_H
#define RTG_FREERTOS_FEATURES_TRY_H

#include <stdbool.h>

bool freertos_try_task(void);
bool freertos_try_static_task(void);
bool freertos_try_state(void);
bool freertos_try_priority(void);
bool freertos_try_id(void);
bool freertos_try_no_scheduling(void);
bool freertos_try_ticks(void);
bool freertos_try_one_shot(void);
bool freertos_try_cyclic(void);
bool freertos_try_remaining(void);
bool freertos_try_heap(void);
bool freertos_try_free_bytes(void);
bool freertos_try_no_interrupts(void);
bool freertos_try_counting(void);
bool freertos_try_counting_blocks(void);
bool freertos_try_counting_limits(void);
bool freertos_try_binary(void);
bool freertos_try_binary_blocks(void);
bool freertos_try_binary_limits(void);
bool freertos_try_mutex(void);
bool freertos_try_mutex_limits(void);
bool freertos_try_inheritance(void);
bool freertos_try_recursive(void);
bool freertos_try_owner(void);
bool freertos_try_flags(void);
bool freertos_try_flags_and_or(void);
bool freertos_try_flags_limits(void);
bool freertos_try_queue(void);
bool freertos_try_queue_blocks(void);
bool freertos_try_queue_limits(void);
bool freertos_try_queue_front(void);
bool freertos_try_mailbox(void);
bool freertos_try_mailbox_blocks(void);
bool freertos_try_mailbox_limits(void);

#endif
