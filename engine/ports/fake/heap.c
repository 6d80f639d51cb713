/* The heap, pools of fixed blocks, and the footprint. A block costs the same whatever its
 * size and whatever else is out. */
#include <stddef.h>
#include <stdlib.h>

#include "fake.h"

#define MARK 0x504f4f4cu /* tells a pool that was created from any other memory */
#define MOST_BYTES ((size_t)64 << 20)

static uint64_t blocks_out;

/* Before each block stands its size. */
union head {
    size_t bytes;
    max_align_t alignment;
};

int rtg_heap_get(size_t bytes, void **memory)
{
    if (!memory || bytes > MOST_BYTES)
        return RTG_EFULL;
    if (fake_has(FAULT_HEAP_ENTERS_KERNEL))
        fake_enter_kernel();
    fake_compute(fake_costs.heap + (fake_has(FAULT_HEAP_GROWS) ? fake_k * blocks_out : 0));
    union head *head = malloc(sizeof *head + bytes);
    if (!head)
        return RTG_EFULL;
    head->bytes = bytes;
    fake_counts.heap_bytes += bytes;
    blocks_out++;
    *memory = head + 1;
    return RTG_OK;
}

void rtg_heap_put(void *memory)
{
    fake_compute(fake_costs.heap);
    if (!memory)
        return;
    union head *head = (union head *)memory - 1;
    fake_counts.heap_bytes -= head->bytes;
    blocks_out--;
    free(head);
}

int rtg_pool_create(struct rtg_pool *p, uint32_t blocks, uint32_t size)
{
    if (!p || blocks == 0 || size == 0)
        return RTG_EINVAL;
    size_t each = ((size_t)size + 15) & ~(size_t)15;
    if (each > MOST_BYTES / blocks)
        return RTG_EFULL;
    fake_compute(fake_costs.pool);
    void **free_blocks = malloc(blocks * sizeof *free_blocks);
    char *memory = malloc(blocks * each);
    if (!free_blocks || !memory) {
        free(free_blocks);
        free(memory);
        return RTG_EFULL;
    }
    for (uint32_t i = 0; i < blocks; i++)
        free_blocks[i] = memory + i * each;
    *p = (struct rtg_pool){
        .mark = MARK, .blocks = blocks, .left = blocks, .free = free_blocks, .memory = memory};
    fake_counts.objects++;
    return RTG_OK;
}

int rtg_pool_destroy(struct rtg_pool *p)
{
    if (!p || p->mark != MARK)
        return RTG_EINVAL;
    fake_compute(fake_costs.pool);
    if (p->left != p->blocks)
        return RTG_EBUSY;
    free(p->free);
    free(p->memory);
    p->mark = 0;
    fake_counts.objects--;
    return RTG_OK;
}

int rtg_pool_get(struct rtg_pool *p, void **block)
{
    if (!p || p->mark != MARK || !block)
        return RTG_EINVAL;
    fake_compute(fake_costs.pool);
    if (p->left == 0)
        return RTG_EFULL;
    *block = p->free[--p->left];
    return RTG_OK;
}

int rtg_pool_put(struct rtg_pool *p, void *block)
{
    if (!p || p->mark != MARK || !block || p->left == p->blocks)
        return RTG_EINVAL;
    fake_compute(fake_costs.pool);
    p->free[p->left++] = block;
    return RTG_OK;
}

int rtg_footprint(struct rtg_footprint *footprint)
{
    fake_enter_kernel();
    fake_compute(fake_costs.syscall);
    *footprint = (struct rtg_footprint){.code = FAKE_CODE_BYTES,
                                        .data = FAKE_DATA_BYTES,
                                        .zero = FAKE_ZERO_BYTES,
                                        .kernel = FAKE_KERNEL_BYTES,
                                        .program_how = "constants of the fake port",
                                        .kernel_how = "a constant of the fake port"};
    footprint->kernel_now = (fake_counts.threads + fake_counts.objects) * FAKE_CONTROL_BYTES;
    return RTG_OK;
}
