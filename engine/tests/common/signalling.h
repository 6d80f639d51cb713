/* signalling.h - semaphores by which threads or processes signal each other. */
#ifndef RTGAUGE_TESTS_SIGNALLING_H
#define RTGAUGE_TESTS_SIGNALLING_H

#include "rtgauge/test.h"

#define PARAM_PEERS                                                                                \
    {"peers", RTG_CHOICE, "thread process", "thread process",                                      \
     "two threads of one process, or one of each of two"}

static inline bool between_processes(const struct rtg_run *run)
{
    return rtg_is(run, "peers", "process");
}

static inline enum rtg_sem_name name_of_kind(const struct rtg_run *run)
{
    return rtg_is(run, "kind", "named") ? RTG_NAMED : RTG_UNNAMED;
}

/* The other party of a test: a thread, or a process, of the same level as its creator's. */
struct peer {
    bool process;
    struct rtg_thread thread;
    struct rtg_process child;
};

static inline bool peer_start(struct rtg_run *run, struct peer *peer, uint32_t level,
                              rtg_entry entry, void *arg)
{
    struct rtg_thread_spec spec = {
        .entry = entry, .arg = arg, .policy = RTG_FIFO, .level = level, .cpu = rtg_test_cpu()};
    peer->process = between_processes(run);
    return peer->process ? rtg_spawn_process(run, &peer->child, &spec)
                         : rtg_spawn_as(run, &peer->thread, &spec);
}

static inline void peer_join(struct rtg_run *run, struct peer *peer)
{
    int error = peer->process ? rtg_process_join(&peer->child) : rtg_thread_join(&peer->thread);
    if (error != RTG_OK)
        rtg_broken(run, "the other party ended before its time");
}

#endif
