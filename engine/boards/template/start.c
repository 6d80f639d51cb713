/* Start-up, and what comes for an interrupt that nobody has a handler for. */
#include <string.h>

#include "rtgauge/board.h"

extern char rtg_data[], rtg_data_end[], rtg_data_load[], rtg_bss[], rtg_bss_end[];

_Noreturn void rtg_start(void);
_Noreturn void template_fault(void);

void rtg_start(void)
{
    memcpy(rtg_data, rtg_data_load, (size_t)(rtg_data_end - rtg_data));
    memset(rtg_bss, 0, (size_t)(rtg_bss_end - rtg_bss));
    rtg_board_init();
    rtg_board_main();
    rtg_board_fail("the scheduler has returned", NULL);
}

void template_fault(void)
{
    rtg_board_fail("fault", "the template does not say where");
}
