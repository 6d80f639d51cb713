/* Clocks, serial line and names of the MPS2 with the AN385 image. */
#include "rtgauge/board.h"
#include "cmsdk_dual.h"
#include "mps2.h"

/* The dual timer: two counters down from 2^32 - 1, the second with a prescaler of 256. */
struct dual {
    volatile uint32_t load, value, control, clear, raw, masked, background, unused;
};
#define DUAL ((struct dual *)0x40002000u)
enum { DUAL_ENABLE = 1u << 7, DUAL_BY_256 = 2u << 2, DUAL_32_BITS = 1u << 1 };

struct uart {
    volatile uint32_t data, state, control, interrupts, divider;
};
#define UART ((struct uart *)0x40004000u)
enum { UART_OUT_FULL = 1, UART_IN_FULL = 2, UART_BOTH_WAYS = 3, BAUD = 115200 };

void rtg_board_init(void)
{
    DUAL[0].control = DUAL_ENABLE | DUAL_32_BITS;
    DUAL[1].control = DUAL_ENABLE | DUAL_32_BITS | DUAL_BY_256;
    UART->divider = RTG_MPS2_HZ / BAUD;
    UART->control = UART_BOTH_WAYS;
    rtg_mps2_timers_init();
}

/* The slow counter says which turn of the fast one this is: both were started together, so the
 * nearest time to the slow one's that has the fast one's 32 bits is the right one. */
uint64_t rtg_mps2_ticks(void)
{
    uint64_t slow = (uint64_t)(uint32_t)~DUAL[1].value << 8;
    uint32_t fast = ~RTG_CMSDK_DUAL_VALUE;
    return slow + (uint64_t)(int64_t)(int32_t)(fast - (uint32_t)slow);
}

uint64_t rtg_board_now(void)
{
    return rtg_mps2_ticks() * RTG_MPS2_TICK_NS;
}

uint64_t rtg_board_now_step(void)
{
    return RTG_MPS2_TICK_NS;
}

rtg_stamp_t rtg_board_stamp_at(uint64_t ns)
{
    return ~(rtg_stamp_t)(ns / RTG_MPS2_TICK_NS);
}

uint64_t rtg_board_now_limit(void)
{
    return ((uint64_t)1 << 40) * RTG_MPS2_TICK_NS; /* the slow counter's turn: 12 hours */
}

const char *rtg_board_name(void)
{
    return RTG_BOARD_NAME;
}

void rtg_board_facts(rtg_fact_fn fact, void *to)
{
    fact(to, "machine", "armv7m", 0);
    fact(to, "cpu_model", "ARM Cortex-M3", 0);
    fact(to, "cpu_hz", NULL, RTG_MPS2_HZ);
}

void rtg_board_serial_put(uint8_t byte)
{
    while (UART->state & UART_OUT_FULL)
        ;
    UART->data = byte;
}

int rtg_board_serial_get(void)
{
    return UART->state & UART_IN_FULL ? (int)(uint8_t)UART->data : -1;
}

void rtg_board_reset(void)
{
    volatile uint32_t *reset_control = (volatile uint32_t *)0xe000ed0cu; /* AIRCR */
    for (;;)
        *reset_control = 0x05fa0004u;
}
