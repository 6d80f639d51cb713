/* Message queues by POSIX calls. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <unistd.h>

static int result_of(long result)
{
    return result >= 0 ? RTG_OK : errno == EMSGSIZE ? RTG_EINVAL : posix_error(errno);
}

/* The name is taken away at once: nothing stays behind whatever happens. */
int rtg_queue_create(struct rtg_queue *q, uint32_t messages, uint32_t size)
{
    char name[64];
    struct mq_attr attributes = {.mq_maxmsg = (long)messages, .mq_msgsize = (long)size};
    posix_unique_name(name);
    q->size = size;
    q->queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
    if (q->queue == (mqd_t)-1)
        return posix_error(errno);
    mq_unlink(name);
    return RTG_OK;
}

int rtg_queue_destroy(struct rtg_queue *q)
{
    return result_of(mq_close(q->queue));
}

int rtg_queue_send(struct rtg_queue *q, const void *message, uint32_t size, uint32_t priority)
{
    long result;
    do
        result = mq_send(q->queue, message, size, priority);
    while (result < 0 && errno == EINTR);
    return result_of(result);
}

int rtg_queue_send_until(struct rtg_queue *q, const void *message, uint32_t size, uint32_t priority,
                         uint64_t due_ns)
{
    struct timespec until = posix_realtime_at(due_ns);
    long result;
    do
        result = mq_timedsend(q->queue, message, size, priority, &until);
    while (result < 0 && errno == EINTR);
    return result_of(result);
}

static int received(long result, unsigned got, uint32_t *size, uint32_t *priority)
{
    if (result >= 0) {
        *size = (uint32_t)result;
        *priority = got;
    }
    return result_of(result);
}

int rtg_queue_receive(struct rtg_queue *q, void *to, uint32_t *size, uint32_t *priority)
{
    unsigned got = 0;
    long result;
    do
        result = mq_receive(q->queue, to, q->size, &got);
    while (result < 0 && errno == EINTR);
    return received(result, got, size, priority);
}

int rtg_queue_receive_until(struct rtg_queue *q, void *to, uint32_t *size, uint32_t *priority,
                            uint64_t due_ns)
{
    struct timespec until = posix_realtime_at(due_ns);
    unsigned got = 0;
    long result;
    do
        result = mq_timedreceive(q->queue, to, q->size, &got, &until);
    while (result < 0 && errno == EINTR);
    return received(result, got, size, priority);
}

uint32_t rtg_queue_priorities(void)
{
    long priorities = sysconf(_SC_MQ_PRIO_MAX);
    return priorities > 0 ? (uint32_t)priorities : 32; /* what POSIX asks for at least */
}
