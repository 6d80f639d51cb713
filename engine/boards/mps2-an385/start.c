/* Start-up and the report of faults of the Cortex-M3. */
#include <stdint.h>
#include <string.h>

#include "fail.h"
#include "rtgauge/board.h"

extern char rtg_stack_top[], rtg_data[], rtg_data_end[], rtg_data_load[], rtg_bss[], rtg_bss_end[];

_Noreturn void rtg_start(void);
_Noreturn void rtg_mps2_fault(const uint32_t *pushed);

void rtg_start(void)
{
    memcpy(rtg_data, rtg_data_load, (size_t)(rtg_data_end - rtg_data));
    memset(rtg_bss, 0, (size_t)(rtg_bss_end - rtg_bss));
    rtg_board_init();
    rtg_board_main();
    rtg_board_fail("the scheduler has returned", NULL);
}

/* The registers that the processor has pushed: the seventh is the program counter. */
void rtg_mps2_fault(const uint32_t *pushed)
{
    static const char *const names[] = {"interrupt without a handler",
                                        "",
                                        "NMI",
                                        "hard fault",
                                        "memory fault",
                                        "bus fault",
                                        "usage fault"};
    volatile uint32_t *scb = (volatile uint32_t *)0xe000ed00u;
    uint32_t number = scb[1] & 0x1ff;
    char detail[80];
    size_t length = rtg_append_hex(detail, 0, "pc ", pushed[6]);
    length = rtg_append_hex(detail, length, " cfsr ", scb[10]);
    rtg_append_hex(detail, length, " exception ", number);
    rtg_board_fail(names[number < 7 ? number : 0], detail);
}
