/* messages.h - sizes and memory of the MSG tests. */
#ifndef RTGAUGE_TESTS_MESSAGES_H
#define RTGAUGE_TESTS_MESSAGES_H

#include "common/signalling.h"

enum { MESSAGES = 8, LARGEST = 65536 };

#define PARAM_SIZE(sweep) {"size", RTG_NUMBER, sweep, "1..65536", "bytes of a message"}

/* The last message: of priority 1, or where messages have none the next one after *over. */
static inline void send_last(struct rtg_queue *queue, const void *message, uint32_t size,
                             volatile bool *over)
{
    bool has_priorities = rtg_queue_priorities() > 1;
    *over = true;
    rtg_queue_send(queue, message, has_priorities ? 1 : size, has_priorities ? 1 : 0);
}

/* Text that says why, where a queue for such messages cannot be made. */
static inline enum rtg_outcome no_queue(struct rtg_run *run, int error)
{
    if (error == RTG_EINVAL || error == RTG_EFULL)
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          "a queue for messages of this size cannot be made here");
    return rtg_error(run, error, "creating a message queue");
}

#endif
