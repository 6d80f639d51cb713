/* Message queues. The messages of a FreeRTOS queue all have its one size and no priority. */
#include "freertos.h"

int rtg_queue_create(struct rtg_queue *q, uint32_t messages, uint32_t size)
{
    if (messages == 0 || size == 0)
        return RTG_EINVAL;
    q->size = size;
    q->handle = xQueueCreate(messages, size);
    return q->handle != NULL ? RTG_OK : RTG_EFULL;
}

int rtg_queue_destroy(struct rtg_queue *q)
{
    vQueueDelete(q->handle);
    q->handle = NULL;
    return RTG_OK;
}

static int refusal(const struct rtg_queue *q, uint32_t size, uint32_t priority)
{
    if (size > q->size || priority != 0)
        return RTG_EINVAL;
    return size < q->size ? RTG_ENOSUP : RTG_OK;
}

int rtg_queue_send(struct rtg_queue *q, const void *message, uint32_t size, uint32_t priority)
{
    if (size != q->size || priority != 0)
        return refusal(q, size, priority);
    return xQueueSend((QueueHandle_t)q->handle, message, portMAX_DELAY) == pdTRUE ? RTG_OK
                                                                                  : RTG_EFAIL;
}

static BaseType_t send(void *object, void *message, TickType_t ticks)
{
    return xQueueSend((QueueHandle_t)object, message, ticks);
}

int rtg_queue_send_until(struct rtg_queue *q, const void *message, uint32_t size, uint32_t priority,
                         uint64_t due_ns)
{
    int refused = refusal(q, size, priority);
    if (refused != RTG_OK)
        return refused;
    return freertos_wait_until(send, q->handle, (void *)(uintptr_t)message, due_ns);
}

int rtg_queue_receive(struct rtg_queue *q, void *to, uint32_t *size, uint32_t *priority)
{
    *size = q->size;
    *priority = 0;
    return xQueueReceive((QueueHandle_t)q->handle, to, portMAX_DELAY) == pdTRUE ? RTG_OK
                                                                                : RTG_EFAIL;
}

static BaseType_t receive(void *object, void *message, TickType_t ticks)
{
    return xQueueReceive((QueueHandle_t)object, message, ticks);
}

int rtg_queue_receive_until(struct rtg_queue *q, void *to, uint32_t *size, uint32_t *priority,
                            uint64_t due_ns)
{
    *size = q->size;
    *priority = 0;
    return freertos_wait_until(receive, q->handle, to, due_ns);
}

uint32_t rtg_queue_priorities(void)
{
    return 1;
}
