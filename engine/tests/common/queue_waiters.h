/* queue_waiters.h - threads that send to a full queue, or receive from an empty one: the
 * scenes of MSG-B-BLK. The driver stands below them, so each stops before it goes on. Its
 * own calls have limits: a system that is wrong must not stop the test. */
#ifndef RTGAUGE_TESTS_QUEUE_WAITERS_H
#define RTGAUGE_TESTS_QUEUE_WAITERS_H

#include <stdatomic.h>
#include <string.h>

#include "levels.h"

enum { MESSAGES = 6, WAITERS = 6, SETTLE_NS = 1000000, SOON_NS = 200000000 };

struct packet {
    uint32_t number, priority; /* the second as it was received */
};

struct mover {
    struct scene *in;
    uint32_t number, wanted, level;
    atomic_bool begun;
    atomic_uint moved;   /* calls that returned */
    atomic_uint let_go;  /* 1, 2, ...: its ticket when it has moved all; 0: not yet */
    atomic_bool garbled; /* one of them failed, or gave another message */
    struct rtg_thread thread;
};

struct scene {
    struct rtg_run *run;
    struct rtg_queue queue;
    struct mover mover[WAITERS];
    uint32_t made;
    bool sends; /* the movers send, the driver receives; else the other way */
    atomic_uint tickets;
};

static inline uint64_t soon(void)
{
    return rtg_os_now() + SOON_NS;
}

static inline int packet_send(struct scene *s, uint32_t number, uint32_t priority, uint64_t due)
{
    struct packet packet = {.number = number};
    return rtg_queue_send_until(&s->queue, &packet, sizeof packet, priority, due);
}

static inline int packet_taken(int error, uint32_t size, uint32_t priority, struct packet *packet)
{
    packet->priority = priority;
    return error == RTG_OK && size != sizeof *packet ? RTG_EFAIL : error;
}

static inline int packet_receive(struct scene *s, struct packet *packet, uint64_t due)
{
    uint32_t size = 0, priority = 0;
    int error = rtg_queue_receive_until(&s->queue, packet, &size, &priority, due);
    return packet_taken(error, size, priority, packet);
}

/* A mover's own calls have no limit: they are what is tested. */
static inline int mover_move(struct mover *me)
{
    struct packet packet = {.number = me->number};
    uint32_t size = 0, priority = 0;
    if (me->in->sends)
        return rtg_queue_send(&me->in->queue, &packet, sizeof packet, 0);
    int error = rtg_queue_receive(&me->in->queue, &packet, &size, &priority);
    return packet_taken(error, size, priority, &packet);
}

static inline void mover_main(void *arg)
{
    struct mover *me = arg;
    atomic_store(&me->begun, true);
    while (atomic_load(&me->moved) < me->wanted) {
        if (mover_move(me) != RTG_OK)
            atomic_store(&me->garbled, true);
        atomic_fetch_add(&me->moved, 1);
    }
    atomic_store(&me->let_go, atomic_fetch_add(&me->in->tickets, 1) + 1);
}

/* A queue that holds `held` messages. */
static inline bool scene_begin(struct rtg_run *run, struct scene *s, bool sends, uint32_t held)
{
    memset(s, 0, sizeof *s);
    s->run = run;
    s->sends = sends;
    if (rtg_queue_create(&s->queue, MESSAGES, sizeof(struct packet)) != RTG_OK) {
        rtg_broken(run, "the message queue could not be created");
        return false;
    }
    for (uint32_t i = 0; i < held; i++) {
        if (packet_send(s, 0, 0, soon()) != RTG_OK)
            rtg_broken(run, "the message queue does not hold what it was created for");
    }
    return true;
}

/* What the movers wait for: room, or a message. */
static inline int scene_relieve(struct scene *s)
{
    struct packet packet;
    return s->sends ? packet_receive(s, &packet, soon()) : packet_send(s, 0, 0, soon());
}

static inline void scene_end(struct scene *s)
{
    rtg_queue_destroy(&s->queue);
}

/* Creates one more mover above the driver and lets it go until it stops: it waits, or has
 * moved all. What holds it up for a moment must not pass for a queue that blocks. */
static inline bool mover_start(struct scene *s, uint32_t level, uint32_t wanted)
{
    struct mover *m = &s->mover[s->made];
    m->in = s;
    m->number = s->made;
    m->wanted = wanted;
    m->level = level;
    if (!rtg_spawn(s->run, &m->thread, level, mover_main, m)) {
        rtg_broken(s->run, "a thread of the scene could not be created");
        return false;
    }
    s->made++;
    rtg_sleep_for(SETTLE_NS);
    if (!atomic_load(&m->begun))
        rtg_broken(s->run, "a thread above the driver did not begin when it was created");
    return true;
}

/* Lets every mover end that has not; whether all had moved what they wanted, unhurt. */
static inline bool scene_join(struct scene *s)
{
    bool whole = true;
    for (uint32_t i = 0; i < s->made; i++)
        whole = whole && atomic_load(&s->mover[i].let_go) != 0;
    for (uint32_t tries = 0; atomic_load(&s->tickets) < s->made && tries < 2 * MESSAGES; tries++)
        (void)scene_relieve(s);
    for (uint32_t i = 0; i < s->made; i++) {
        rtg_thread_join(&s->mover[i].thread);
        whole = whole && !atomic_load(&s->mover[i].garbled);
    }
    return whole;
}

/* Movers of one message each that all have to wait, of rising or of equal levels, and
 * then are let go one by one. */
static inline bool scene_of_waiters(struct rtg_run *run, struct scene *s, bool sends, bool rising)
{
    if (!scene_begin(run, s, sends, sends ? MESSAGES : 0))
        return false;
    for (uint32_t i = 0; i < WAITERS; i++) {
        uint32_t level = rising ? level_above_driver(i, WAITERS) : rtg_role_level(RTG_MID);
        if (!mover_start(s, level, 1))
            break;
    }
    bool waited = s->made == WAITERS && atomic_load(&s->tickets) == 0;
    for (uint32_t i = 0; i < s->made; i++)
        (void)scene_relieve(s);
    (void)scene_join(s);
    scene_end(s);
    if (s->made == WAITERS && !waited)
        rtg_unchecked(run, sends ? "senders" : "receivers",
                      "the threads of the scene did not wait, so none was let go first");
    return waited;
}

/* Whether whoever should be let go first was, over every pair of movers: by level, by
 * arrival, or against it. */
enum let_go_order { BY_LEVEL, BY_ARRIVAL, AGAINST_ARRIVAL };
static inline bool let_go_by(const struct scene *s, enum let_go_order order)
{
    for (uint32_t i = 0; i < s->made; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const struct mover *early = &s->mover[k], *late = &s->mover[i];
            bool early_first = atomic_load(&early->let_go) < atomic_load(&late->let_go);
            bool apart = order != BY_LEVEL || early->level != late->level;
            bool wanted = order == BY_ARRIVAL || (order == BY_LEVEL && early->level > late->level);
            if (apart && early_first != wanted)
                return false;
        }
    }
    return true;
}

#endif
