/* The start of a new port: copy this folder, rename it, and fill in one operation
 * after the other; the conformance tests say what is still missing. */
#ifndef RTG_PORT_TYPES_H
#define RTG_PORT_TYPES_H

#include <stdint.h>

#define RTG_STAMP_BITS 64  /* 32 on processors where 64 bits cost more than one read */
#define RTG_FRAME_MAX 1024 /* what one frame of the trace may take of the RAM */
#define RTG_DIRECTOR_STACK 0
#define RTG_MAX_JOBS 8
#define RTG_MAX_SPAWNS 16

struct rtg_thread {
    int unused;
};

struct rtg_process {
    int unused;
};

struct rtg_sem {
    int unused;
};

struct rtg_mutex {
    int unused;
};

struct rtg_queue {
    int unused;
};

struct rtg_service {
    int unused;
};

struct rtg_pool {
    int unused;
};

struct rtg_file {
    int unused;
};

struct rtg_timer {
    int unused;
};

#endif
