/* Types and sizes of the POSIX port; see rtgauge/port.h. */
#ifndef RTG_PORT_TYPES_H
#define RTG_PORT_TYPES_H

#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define RTG_STAMP_BITS 64
#define RTG_FRAME_MAX 32768
#define RTG_DIRECTOR_STACK (512 * 1024)

struct rtg_thread {
    pthread_t handle;
    int policy; /* enum rtg_policy as asked */
    int cpu;    /* to run on, -1: any */
    void (*entry)(void *);
    void *arg;
    uint64_t runtime_ns, period_ns;
    _Atomic long tid;  /* the kernel's id once the thread has begun, else 0 */
    _Atomic int begun; /* RTG_DEADLINE only: 1 begun, less than 0 the error that it met */
};

struct rtg_process {
    long id; /* of the child */
};

struct rtg_sem {
    sem_t own;
    sem_t *sem; /* &own, or what sem_open gave */
};

struct rtg_mutex {
    pthread_mutex_t mutex;
};

struct rtg_queue {
    mqd_t queue;
    uint32_t size; /* of the largest message */
};

struct rtg_service {
    int kind; /* enum rtg_service_kind */
    int file[3];
    uint32_t turn;
    void *block[32];
};

struct rtg_pool {
    int unused; /* POSIX has none */
};

struct rtg_file {
    int handle;
};

struct rtg_timer {
    timer_t timer;
    int signal;
    int file; /* of a native one, else -1 */
};

#endif
