/* irq_loop.h - where in the loop that reads stamps interrupts come.
 *
 * Where time counts instructions, the clock of a source and the loop may have a step in common, and
 * interrupts then come in few places of the loop only. The places are counted. They are left as
 * they are: by that step a path that is longer by one instruction can be told from another place.
 */
#ifndef RTGAUGE_TESTS_IRQ_LOOP_H
#define RTGAUGE_TESTS_IRQ_LOOP_H

#include <string.h>

#include "rtgauge/test.h"
#include "ticks.h"

enum {
    IRQ_TURN_MOST = 1024 /* ticks of one turn whose places are told apart */
};

struct irq_loop {
    rtg_stamp_t turn;                     /* ticks, the least seen */
    rtg_stamp_t pause;                    /* of the thread around one interrupt, the same */
    uint64_t visited[IRQ_TURN_MOST / 64]; /* bit t: interrupts came t ticks after the stamp */
};

/* So many turns took so long; a pause within makes them longer, never shorter. */
static inline void irq_loop_ran(struct irq_loop *loop, rtg_stamp_t ticks, uint32_t turns)
{
    if (turns != 0 && ticks / turns < loop->turn)
        loop->turn = ticks / turns;
}

/* An interrupt's handler began so long after the last stamp, and the thread paused so long. Of
 * equal pauses the way to the handler is the same: what differs is the place in the loop. */
static inline void irq_loop_left(struct irq_loop *loop, rtg_stamp_t entry, rtg_stamp_t pause)
{
    if (loop->turn == 0 || loop->turn > IRQ_TURN_MOST || pause > loop->pause)
        return;
    if (pause < loop->pause)
        memset(loop->visited, 0, sizeof loop->visited);
    loop->pause = pause;
    loop->visited[entry % loop->turn / 64] |= (uint64_t)1 << entry % loop->turn % 64;
}

/* Evidence, where an instruction takes a known time. */
static inline void irq_tell_loop(struct rtg_run *run, const struct rtg_clock *clock,
                                 const struct irq_loop *loop)
{
    uint32_t visited = 0, each = rtg_virtual_ns();
    if (each == 0 || loop->turn > IRQ_TURN_MOST)
        return;
    for (uint32_t at = 0; at < loop->turn; at++)
        visited += loop->visited[at / 64] >> at % 64 & 1;
    uint64_t turn_ns = ns_of_ticks(measure_tick_rate(clock), loop->turn);
    rtg_evidence(run, "loop_phases_visited", visited, "");
    rtg_evidence(run, "loop_phases", (int64_t)((turn_ns + each / 2) / each), "");
}

#endif
