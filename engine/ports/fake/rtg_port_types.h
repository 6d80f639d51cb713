/*
 * The types of the fake port: a deterministic operating system inside one
 * process, in virtual time. See fake.h for its parts and costs.h for its times.
 */
#ifndef RTG_PORT_TYPES_H
#define RTG_PORT_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#define RTG_STAMP_BITS 64
#define RTG_FRAME_MAX 32768
#define RTG_DIRECTOR_STACK (256 * 1024) /* what every thread has here */

/* The port defines rtg_work itself: one round takes one virtual nanosecond. */
#define RTG_PORT_HAS_WORK 1

struct fake_thread;

/* Threads in one order; a thread is in one queue at most. */
struct fake_queue {
    struct fake_thread *head;
    struct fake_thread *tail;
};

/* Something that happens at an instant of virtual time. `action` runs inside
 * the timer interrupt. */
struct fake_expiry {
    uint64_t due;
    void (*action)(struct fake_expiry *expiry);
    void *owner; /* the object that the action serves */
    struct fake_expiry *previous, *next;
    bool pending;
    bool wakes; /* a thread waits for it: without one of these there is a deadlock */
};

struct rtg_thread {
    struct fake_thread *control;
};

struct rtg_process {
    int unused; /* there is one process only */
};

struct rtg_sem {
    uint32_t mark;
    uint32_t value;
    uint32_t max;
    bool named;
    struct fake_queue waiters;
};

struct rtg_mutex {
    uint32_t mark;
    uint8_t protocol;
    uint8_t ceiling; /* as a fake priority */
    bool recursive;
    uint32_t depth;
    struct fake_thread *owner;
    struct rtg_mutex *next_held; /* the next one that the owner holds */
    struct fake_queue waiters;
};

struct fake_message; /* messages.c */

struct rtg_queue {
    uint32_t mark;
    uint32_t most, size; /* messages; bytes of the largest */
    uint32_t count;
    uint8_t *memory; /* the messages, in the order in which they leave */
    struct fake_queue senders, receivers;
};

struct rtg_service {
    int kind; /* enum rtg_service_kind */
};

struct rtg_pool {
    uint32_t mark;
    uint32_t blocks;
    uint32_t left; /* blocks that are not out */
    void **free;   /* these */
    void *memory;
};

struct rtg_file {
    uint32_t mark;
    uint32_t number;
};

struct rtg_timer {
    uint32_t mark;
    uint64_t period;
    uint64_t count; /* expiries since the last wait */
    struct fake_thread *owner;
    struct fake_expiry expiry;
};

#endif
