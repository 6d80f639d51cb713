/* Start, faults, time and serial line of QEMU's machine `virt` with a RISC-V hart. */
#include "rtgauge/board.h"
#include "fail.h"
#include "riscv_mcycle.h"
#include "virt.h"

void rtg_virt_start(void)
{
    rtg_board_init();
    rtg_board_main();
    rtg_board_fail("the scheduler has returned", NULL);
}

void rtg_board_init(void)
{
    rtg_virt_timers_init();
}

void rtg_virt_fault(uintptr_t cause, uintptr_t address)
{
    char detail[96];
    uintptr_t data;
    __asm__ volatile("csrr %0, mtval" : "=r"(data));
    size_t length = rtg_append_hex(detail, 0, "pc ", address);
    length = rtg_append_hex(detail, length, " mcause ", cause);
    rtg_append_hex(detail, length, " mtval ", data);
    rtg_board_fail((intptr_t)cause < 0 ? "interrupt without a handler" : "fault", detail);
}

void freertos_risc_v_application_exception_handler(uintptr_t cause, uintptr_t next)
{
    rtg_virt_fault(cause, next - 4); /* the kernel's handler has moved it on */
}

uint64_t rtg_board_now(void)
{
    return rtg_stamp_start();
}

uint64_t rtg_board_now_limit(void)
{
    return INT64_MAX; /* 292 years */
}

uint64_t rtg_board_now_step(void)
{
    return 1;
}

rtg_stamp_t rtg_board_stamp_at(uint64_t ns)
{
    return ns;
}

const char *rtg_board_name(void)
{
    return RTG_BOARD_NAME;
}

void rtg_board_facts(rtg_fact_fn fact, void *to)
{
    fact(to, "machine", "riscv64", 0);
    fact(to, "cpu_model", "RISC-V RV64IMAC", 0);
}

/* The 16550. */
#define UART ((volatile uint8_t *)0x10000000ul)
enum { UART_DATA = 0, UART_STATE = 5, UART_IN_FULL = 1, UART_OUT_EMPTY = 1 << 5 };

void rtg_board_serial_put(uint8_t byte)
{
    while (!(UART[UART_STATE] & UART_OUT_EMPTY))
        ;
    UART[UART_DATA] = byte;
}

int rtg_board_serial_get(void)
{
    return UART[UART_STATE] & UART_IN_FULL ? UART[UART_DATA] : -1;
}

void rtg_board_reset(void)
{
    volatile uint32_t *machine = (volatile uint32_t *)0x00100000ul;
    for (;;)
        *machine = 0x7777;
}
