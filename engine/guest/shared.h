/* What a guest of the virtual lab tells its host, at the beginning of the memory that they share;
 * the trace follows at GUEST_TRACE_AT. All numbers are little-endian, and written by the guest
 * only. src/rtgauge/lab/shared.py reads it. */
#ifndef RTG_GUEST_SHARED_H
#define RTG_GUEST_SHARED_H

#include <stdint.h>

#define GUEST_MAGIC UINT64_C(0x3149544755414752) /* "RGAUGTI1" */
#define GUEST_TRACE_AT UINT64_C(4096)
#define GUEST_OUTPUT 2048 /* bytes of what a load wrote last that are kept */

enum guest_state { GUEST_BOOTS, GUEST_MEASURES, GUEST_ENDED };

struct guest_header {
    volatile uint64_t magic;    /* written when all but state, status and tail is there */
    volatile uint64_t room;     /* bytes of the shared memory as the guest sees it */
    volatile uint64_t begun_ns; /* since the kernel began, when our first process was ready */
    volatile uint64_t ended_ns; /* and when the engine had ended */
    volatile uint64_t tail;     /* bytes of the trace that are there */
    volatile uint64_t dropped;  /* and that there was no room for */
    volatile int32_t status;    /* of the engine; negative: the signal that ended it */
    volatile uint32_t state;    /* enum guest_state */
    volatile uint64_t idle_ns;  /* in which the CPU had nothing to do, between these two times; in
                                 * steps of 10 ms */
    volatile uint64_t modules;  /* of the kernel that were at work when we were ready */

    volatile uint64_t load_begun_ns; /* 0: there is no load that is a program */
    volatile uint64_t load_rounds;   /* that came to their end */
    volatile int32_t load_status;    /* of the last one, as a shell says it */
    volatile uint32_t load_bytes;    /* of what it wrote */
    char load_output[GUEST_OUTPUT];
};

#endif
