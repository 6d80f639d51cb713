/* Addresses and numbers of the AN385 image that more than one of the board's files uses. */
#ifndef RTG_MPS2_H
#define RTG_MPS2_H

#include <stdint.h>

enum { RTG_MPS2_HZ = 25000000, RTG_MPS2_TICK_NS = 40 };

/* Ticks since the start; the stamp clock counts the lower 32 bits of it down from 2^32 - 1. */
uint64_t rtg_mps2_ticks(void);

void rtg_mps2_timers_init(void);

/* Handlers of the two timers, vectors.S. */
void rtg_mps2_timer0(void);
void rtg_mps2_timer1(void);

#endif
