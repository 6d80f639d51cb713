/* Orders of threads. */
#include "fake.h"

static void put_between(struct fake_queue *queue, struct fake_thread *before,
                        struct fake_thread *thread, struct fake_thread *after)
{
    thread->in = queue;
    thread->previous = before;
    thread->next = after;
    if (before)
        before->next = thread;
    else
        queue->head = thread;
    if (after)
        after->previous = thread;
    else
        queue->tail = thread;
}

void fake_queue_put(struct fake_queue *queue, struct fake_thread *thread, enum fake_end end)
{
    if (end == FAKE_HEAD)
        put_between(queue, NULL, thread, queue->head);
    else
        put_between(queue, queue->tail, thread, NULL);
}

/* The order in which waiters are released: the highest first, equals in the
 * order of their arrival. */
static bool goes_before(const struct fake_thread *thread, const struct fake_thread *waiter)
{
    if (fake_has(FAULT_WAITERS_FIFO))
        return false;
    if (fake_has(FAULT_WAITERS_EQUAL_LIFO) && thread->priority == waiter->priority)
        return true;
    return thread->priority > waiter->priority;
}

void fake_queue_put_by_priority(struct fake_queue *queue, struct fake_thread *thread)
{
    struct fake_thread *before = queue->tail;
    while (before && goes_before(thread, before))
        before = before->previous;
    put_between(queue, before, thread, before ? before->next : queue->head);
}

void fake_queue_remove(struct fake_thread *thread)
{
    struct fake_queue *queue = thread->in;
    if (thread->previous)
        thread->previous->next = thread->next;
    else
        queue->head = thread->next;
    if (thread->next)
        thread->next->previous = thread->previous;
    else
        queue->tail = thread->previous;
    thread->in = NULL;
    thread->previous = thread->next = NULL;
}

uint32_t fake_queue_length(const struct fake_queue *queue)
{
    uint32_t length = 0;
    for (const struct fake_thread *thread = queue->head; thread; thread = thread->next)
        length++;
    return length;
}
