/* Message queues and queued signals. */
#include "rtgauge/port.h"

int rtg_queue_create(struct rtg_queue *q, uint32_t messages, uint32_t size)
{
    (void)q;
    (void)messages;
    (void)size;
    return RTG_ENOSUP;
}

int rtg_queue_destroy(struct rtg_queue *q)
{
    (void)q;
    return RTG_ENOSUP;
}

int rtg_queue_send(struct rtg_queue *q, const void *message, uint32_t size, uint32_t priority)
{
    (void)q;
    (void)message;
    (void)size;
    (void)priority;
    return RTG_ENOSUP;
}

int rtg_queue_send_until(struct rtg_queue *q, const void *message, uint32_t size, uint32_t priority,
                         uint64_t due_ns)
{
    (void)due_ns;
    return rtg_queue_send(q, message, size, priority);
}

int rtg_queue_receive(struct rtg_queue *q, void *to, uint32_t *size, uint32_t *priority)
{
    (void)q;
    (void)to;
    (void)size;
    (void)priority;
    return RTG_ENOSUP;
}

int rtg_queue_receive_until(struct rtg_queue *q, void *to, uint32_t *size, uint32_t *priority,
                            uint64_t due_ns)
{
    (void)due_ns;
    return rtg_queue_receive(q, to, size, priority);
}

uint32_t rtg_queue_priorities(void)
{
    return 1;
}

int rtg_signal_catch(void (*handler)(uint32_t value))
{
    (void)handler;
    return RTG_ENOSUP;
}

int rtg_signal_send(struct rtg_thread *t, uint32_t value)
{
    (void)t;
    (void)value;
    return RTG_ENOSUP;
}

int rtg_signal_send_process(struct rtg_process *p, uint32_t value)
{
    (void)p;
    (void)value;
    return RTG_ENOSUP;
}
