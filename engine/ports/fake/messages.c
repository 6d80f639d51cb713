/* Message queues. A message goes straight to a receiver that waits, and the message of a
 * sender that waits goes into the place that a receive leaves. There are no signals. */
#include <string.h>

#include "fake.h"

#define MARK 0x51554555u /* tells a queue that was created from any other memory */
enum { PRIORITIES = 32, MOST_BYTES = 1 << 20 };

/* What a waiting thread wants to send, or where it wants to receive. */
struct fake_message {
    const void *from;
    void *to;
    uint32_t size, priority;
};

/* A message in the queue's memory, its bytes behind it. */
struct head {
    uint32_t size, priority;
};

static size_t stride(const struct rtg_queue *q)
{
    return (sizeof(struct head) + q->size + 7) & ~(size_t)7;
}

static struct head *place(struct rtg_queue *q, uint32_t i)
{
    return (struct head *)(void *)(q->memory + i * stride(q));
}

int rtg_queue_create(struct rtg_queue *q, uint32_t messages, uint32_t size)
{
    if (!q || messages == 0 || size == 0 || size > MOST_BYTES || messages > MOST_BYTES / size)
        return RTG_EINVAL;
    fake_enter_kernel();
    fake_compute(fake_costs.queue_new);
    *q = (struct rtg_queue){.mark = MARK, .most = messages, .size = size};
    size_t wanted = messages * stride(q), bytes = wanted;
    q->memory = rtg_scratch_get(&bytes);
    if (bytes < wanted)
        return RTG_EFULL;
    fake_counts.objects++;
    fake_counts.handles++;
    return RTG_OK;
}

int rtg_queue_destroy(struct rtg_queue *q)
{
    if (!q || q->mark != MARK)
        return RTG_EINVAL;
    fake_enter_kernel();
    fake_compute(fake_costs.queue_new);
    if (q->senders.head || q->receivers.head)
        return RTG_EBUSY;
    rtg_scratch_put(q->memory, q->most * stride(q));
    q->mark = 0;
    if (fake_every_kth(FAULT_LEAK))
        return RTG_OK;
    fake_counts.objects--;
    fake_counts.handles--;
    return RTG_OK;
}

/* Pays for a call that moves so many bytes; whether it is one on a queue at all. */
static bool begins(const struct rtg_queue *q, uint32_t size)
{
    if (!q || q->mark != MARK)
        return false;
    fake_enter_kernel();
    fake_compute(fake_costs.queue + (size + 15) / 16 * fake_costs.queue_16_bytes);
    return true;
}

/* Behind those of its priority, before lower ones. */
static void put(struct rtg_queue *q, const struct fake_message *m)
{
    uint32_t at = q->count;
    while (at > 0 && !fake_has(FAULT_MESSAGES_FIFO) && place(q, at - 1)->priority < m->priority)
        at--;
    if (at < q->count)
        memmove(place(q, at + 1), place(q, at), (q->count - at) * stride(q));
    place(q, at)->size = m->size;
    place(q, at)->priority = m->priority;
    memcpy(place(q, at) + 1, m->from, m->size);
    q->count++;
}

static void take(struct rtg_queue *q, struct fake_message *m)
{
    m->size = place(q, 0)->size;
    m->priority = place(q, 0)->priority;
    memcpy(m->to, place(q, 0) + 1, m->size);
    if (--q->count > 0)
        memmove(place(q, 0), place(q, 1), q->count * stride(q));
}

static void let_go(struct fake_thread *waiter)
{
    fake_wake(waiter, RTG_OK);
    fake_compute_masked(fake_costs.wake);
    fake_settle();
}

static int wait_in(struct fake_queue *queue, struct fake_message *m, uint64_t due)
{
    if (due <= fake_now)
        return RTG_ETIMEOUT;
    fake_current->message = m;
    fake_wait_begin(FAKE_MESSAGES, queue, due == FAKE_NEVER ? due : fake_time_out(due));
    return fake_wait();
}

static int send(struct rtg_queue *q, struct fake_message *m, uint64_t due)
{
    if (!begins(q, m->size) || m->size > q->size || m->priority >= PRIORITIES)
        return RTG_EINVAL;
    struct fake_thread *receiver = q->receivers.head;
    if (receiver) {
        struct fake_message *wanted = receiver->message;
        memcpy(wanted->to, m->from, m->size);
        wanted->size = m->size;
        wanted->priority = m->priority;
        let_go(receiver);
    } else if (q->count < q->most) {
        put(q, m);
    } else {
        return fake_has(FAULT_QUEUE_FULL_LOSES) ? RTG_OK : wait_in(&q->senders, m, due);
    }
    return RTG_OK;
}

static int receive(struct rtg_queue *q, struct fake_message *m, uint64_t due)
{
    if (!begins(q, 0))
        return RTG_EINVAL;
    if (q->count == 0) {
        if (!fake_has(FAULT_QUEUE_EMPTY_RETURNS))
            return wait_in(&q->receivers, m, due);
        m->size = m->priority = 0;
        return RTG_OK;
    }
    take(q, m);
    fake_compute((m->size + 15) / 16 * fake_costs.queue_16_bytes);
    struct fake_thread *sender = q->senders.head;
    if (sender) {
        put(q, sender->message);
        let_go(sender);
    }
    return RTG_OK;
}

int rtg_queue_send_until(struct rtg_queue *q, const void *message, uint32_t size, uint32_t priority,
                         uint64_t due_ns)
{
    struct fake_message m = {.from = message, .size = size, .priority = priority};
    return send(q, &m, due_ns);
}

int rtg_queue_send(struct rtg_queue *q, const void *message, uint32_t size, uint32_t priority)
{
    return rtg_queue_send_until(q, message, size, priority, FAKE_NEVER);
}

int rtg_queue_receive_until(struct rtg_queue *q, void *to, uint32_t *size, uint32_t *priority,
                            uint64_t due_ns)
{
    struct fake_message m = {.to = to};
    int error = receive(q, &m, due_ns);
    if (error == RTG_OK) {
        *size = m.size;
        *priority = m.priority;
    }
    return error;
}

int rtg_queue_receive(struct rtg_queue *q, void *to, uint32_t *size, uint32_t *priority)
{
    return rtg_queue_receive_until(q, to, size, priority, FAKE_NEVER);
}

uint32_t rtg_queue_priorities(void)
{
    return PRIORITIES;
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
