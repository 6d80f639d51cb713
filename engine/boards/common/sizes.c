/* What the linker script says of the memory: the addresses of its symbols are the values. */
#include "rtgauge/board.h"

extern char rtg_size_ram[], rtg_size_code[], rtg_size_data[], rtg_size_bss[], rtg_size_heap[],
    rtg_size_stack[], rtg_size_samples[], rtg_free_ram[];

void rtg_board_get_sizes(struct rtg_board_sizes *sizes)
{
    *sizes = (struct rtg_board_sizes){.ram = (size_t)rtg_size_ram,
                                      .code = (size_t)rtg_size_code,
                                      .data = (size_t)rtg_size_data,
                                      .bss = (size_t)rtg_size_bss,
                                      .heap = (size_t)rtg_size_heap,
                                      .stack = (size_t)rtg_size_stack,
                                      .samples = (size_t)rtg_size_samples};
}

void *rtg_board_memory(size_t *bytes)
{
    *bytes = (size_t)rtg_size_samples;
    return rtg_free_ram;
}

uint32_t rtg_board_ns_per_instruction(void)
{
    return RTG_BOARD_NS_PER_INSTRUCTION;
}
