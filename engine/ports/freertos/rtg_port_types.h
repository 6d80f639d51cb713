/* Types and sizes of the FreeRTOS port; see rtgauge/port.h. Handles are FreeRTOS's own, kept as
 * pointers so that the tests see none of its headers. */
#ifndef RTG_PORT_TYPES_H
#define RTG_PORT_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef RTG_BOARD_STAMP_BITS
#define RTG_STAMP_BITS RTG_BOARD_STAMP_BITS
#elif UINTPTR_MAX > 0xffffffffu
#define RTG_STAMP_BITS 64
#else
#define RTG_STAMP_BITS 32
#endif

#define RTG_PORT_HAS_STAMP_AT 1
#define RTG_PORT_TELLS_POLICY 1

/* What a small board may set smaller (RTG_BOARD_OPTIONS). */
#ifndef RTG_FRAME_MAX
#define RTG_FRAME_MAX 16384
#endif
#ifndef RTG_MAX_JOBS
#define RTG_MAX_JOBS 192
#endif
#ifndef RTG_MAX_SPAWNS
#define RTG_MAX_SPAWNS 1024
#endif
#ifndef RTG_THREAD_STACK /* bytes; what a thread of a test gets unless it asks for more */
#define RTG_THREAD_STACK (1024 * sizeof(void *))
#endif
#ifndef RTG_DIRECTOR_STACK
#define RTG_DIRECTOR_STACK (4 * RTG_THREAD_STACK)
#endif

struct rtg_thread {
    volatile uint32_t preempted; /* first: the kernel's hook counts here (FreeRTOSConfig.h) */
    void *task;
    void (*entry)(void *);
    void *arg;
    uint32_t level;        /* of one that is prepared only */
    void *volatile joiner; /* the task that waits for its end */
    volatile bool begun;   /* it has been at its entry */
    volatile bool ended;   /* it has returned from there */
    volatile bool suspended;
};

struct rtg_process {
    int unused; /* there is one program only */
};

struct rtg_sem {
    void *handle;
};

struct rtg_mutex {
    void *handle;
    bool recursive;
};

struct rtg_queue {
    void *handle;
    uint32_t size; /* of each message */
};

struct rtg_service {
    int kind; /* enum rtg_service_kind */
    void *block[8];
};

struct rtg_pool {
    uint32_t blocks, left; /* left: not out */
    void *memory;
    void *free; /* the first block that is not out; each begins with the address of the next */
};

struct rtg_file {
    int unused; /* the kernel has no files */
};

struct rtg_timer {
    void *handle;
    void *owner;      /* task that may wait */
    uint64_t next_ns; /* the next expiry as asked */
    uint64_t period_ns;
    uint64_t first_tick;     /* the tick of the first expiry, */
    uint32_t period_ticks;   /* and from one to the next; 0: no whole number */
    volatile uint32_t count; /* expiries since the last wait */
    volatile bool begun;     /* the first expiry was */
};

#endif
