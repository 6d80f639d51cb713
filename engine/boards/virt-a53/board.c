/* Start, time and serial line of QEMU's machine `virt` with a Cortex-A53. */
#include "rtgauge/board.h"
#include "arm64_cntvct.h"
#include "virt.h"

enum { SECOND = 1000000000 };

static uint64_t hz,
    tick_ns; /* ticks of the generic timer per second; ns of one, 0: no whole number */
static bool started_at_el2;

void rtg_virt_start(bool from_el2)
{
    started_at_el2 = from_el2;
    rtg_board_init();
    rtg_board_main();
    rtg_board_fail("the scheduler has returned", NULL);
}

void rtg_board_init(void)
{
    __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
    tick_ns = SECOND % hz == 0 ? SECOND / hz : 0;
    rtg_virt_gic_init();
    rtg_virt_timers_init(started_at_el2);
}

uint64_t rtg_virt_hz(void)
{
    return hz;
}

uint64_t rtg_virt_ticks(uint64_t ns)
{
    if (tick_ns != 0)
        return (ns + tick_ns - 1) / tick_ns;
    return ns / SECOND * hz + (ns % SECOND * hz + SECOND - 1) / SECOND;
}

uint64_t rtg_board_now(void)
{
    uint64_t ticks = rtg_stamp_start();
    return tick_ns != 0 ? ticks * tick_ns : ticks / hz * SECOND + ticks % hz * SECOND / hz;
}

uint64_t rtg_board_now_limit(void)
{
    return INT64_MAX; /* 292 years */
}

uint64_t rtg_board_now_step(void)
{
    return (SECOND + hz - 1) / hz;
}

rtg_stamp_t rtg_board_stamp_at(uint64_t ns)
{
    return rtg_virt_ticks(ns);
}

const char *rtg_board_name(void)
{
    return RTG_BOARD_NAME;
}

void rtg_board_facts(rtg_fact_fn fact, void *to)
{
    fact(to, "machine", "aarch64", 0);
    fact(to, "cpu_model", "ARM Cortex-A53", 0);
    fact(to, "interrupt_controller", RTG_BOARD_GIC == 3 ? "GICv3" : "GICv2", 0);
    fact(to, "counter_hz", NULL, (int64_t)hz);
}

/* The PL011. */
#define UART(offset) (*(volatile uint32_t *)(0x09000000ul + (offset)))
enum { UART_DATA = 0, UART_FLAGS = 0x18, UART_IN_EMPTY = 1 << 4, UART_OUT_FULL = 1 << 5 };

void rtg_board_serial_put(uint8_t byte)
{
    while (UART(UART_FLAGS) & UART_OUT_FULL)
        ;
    UART(UART_DATA) = byte;
}

int rtg_board_serial_get(void)
{
    return UART(UART_FLAGS) & UART_IN_EMPTY ? -1 : (int)(uint8_t)UART(UART_DATA);
}

/* By the machine's firmware interface (PSCI), which is called from EL1 in one of two ways. */
void rtg_board_reset(void)
{
    enum { SYSTEM_RESET = (int)0x84000009u };
    register uint64_t call __asm__("x0") = (uint32_t)SYSTEM_RESET;
    if (started_at_el2)
        __asm__ volatile("smc #0" : : "r"(call) : "memory");
    else
        __asm__ volatile("hvc #0" : : "r"(call) : "memory");
    for (;;)
        ;
}
