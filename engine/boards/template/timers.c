/* Timers that interrupt, and that the kernel's tick does not use: none. */
#include "rtgauge/board.h"

uint32_t rtg_board_timers(void)
{
    return 0;
}

const struct rtg_board_timer *rtg_board_timer_at(uint32_t index)
{
    (void)index;
    return NULL;
}

int rtg_board_timer_set(uint32_t index, uint64_t due_ns)
{
    (void)index;
    (void)due_ns;
    return RTG_EINVAL;
}

void rtg_board_timer_cancel(uint32_t index)
{
    (void)index;
}

const char *rtg_board_timer_marks(void)
{
    return "the template has no timers";
}
