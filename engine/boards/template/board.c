/* Time, serial line, reset and names of the board. */
#include "rtgauge/board.h"

void rtg_board_init(void)
{
}

uint64_t rtg_board_now(void)
{
    return 0;
}

uint64_t rtg_board_now_limit(void)
{
    return INT64_MAX;
}

uint64_t rtg_board_now_step(void)
{
    return 1;
}

rtg_stamp_t rtg_board_stamp_at(uint64_t ns)
{
    return (rtg_stamp_t)ns;
}

const char *rtg_board_name(void)
{
    return RTG_BOARD_NAME;
}

void rtg_board_facts(rtg_fact_fn fact, void *to)
{
    fact(to, "machine", "not known", 0);
    fact(to, "cpu_model", "not known", 0);
}

void rtg_board_serial_put(uint8_t byte)
{
    (void)byte;
}

int rtg_board_serial_get(void)
{
    return -1;
}

void rtg_board_reset(void)
{
    for (;;)
        ;
}
