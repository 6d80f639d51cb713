/* The report of what the kernel has no handler for. */
#include "fail.h"
#include "rtgauge/board.h"
#include "virt.h"

void rtg_virt_fault(unsigned vector, uint64_t syndrome, uint64_t address, uint64_t data)
{
    char detail[96];
    size_t length = rtg_append_hex(detail, 0, "pc ", address);
    length = rtg_append_hex(detail, length, " esr ", syndrome);
    rtg_append_hex(detail, length, " far ", data);
    rtg_board_fail(vector == 0   ? "fault in a thread"
                   : vector == 4 ? "fault in a handler"
                                 : "exception without a handler",
                   detail);
}
