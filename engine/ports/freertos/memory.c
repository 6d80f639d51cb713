/* Memory: the board's for samples, the kernel's heap for all else. */
#include <string.h>

#include "freertos.h"

/* What is not there is worth asking for half of it. */
static void *get(size_t *bytes)
{
    void *memory = NULL;
    for (; memory == NULL && *bytes != 0; *bytes /= 2) {
        if (*bytes < xPortGetFreeHeapSize() && (memory = pvPortMalloc(*bytes)) != NULL)
            break;
    }
    if (memory == NULL)
        *bytes = 0;
    else
        memset(memory, 0, *bytes);
    return memory;
}

void *rtg_sample_memory(size_t *bytes)
{
    size_t there = 0;
    void *memory = rtg_board_memory(&there);
    *bytes = *bytes < there ? *bytes : there;
    return *bytes != 0 ? memory : NULL;
}

void *rtg_scratch_get(size_t *bytes)
{
    return get(bytes);
}

void rtg_scratch_put(void *memory, size_t bytes)
{
    (void)bytes;
    vPortFree(memory);
}

void *rtg_shared_get(size_t *bytes)
{
    return get(bytes);
}

void rtg_shared_put(void *memory, size_t bytes)
{
    (void)bytes;
    vPortFree(memory);
}

/* ---- as a test asks for it ------------------------------------------------------ */

int rtg_heap_get(size_t bytes, void **memory)
{
    *memory = pvPortMalloc(bytes);
    return *memory != NULL ? RTG_OK : RTG_EFULL;
}

void rtg_heap_put(void *memory)
{
    vPortFree(memory);
}

/* FreeRTOS has no pools: what its users make of it, a list of free blocks within a critical
 * section, would be measured as ours. */
int rtg_pool_create(struct rtg_pool *p, uint32_t blocks, uint32_t size)
{
    (void)p;
    (void)blocks;
    (void)size;
    return RTG_ENOSUP;
}

int rtg_pool_destroy(struct rtg_pool *p)
{
    (void)p;
    return RTG_ENOSUP;
}

int rtg_pool_get(struct rtg_pool *p, void **block)
{
    (void)p;
    (void)block;
    return RTG_ENOSUP;
}

int rtg_pool_put(struct rtg_pool *p, void *block)
{
    (void)p;
    (void)block;
    return RTG_ENOSUP;
}

/* ---- what is held ----------------------------------------------------------------- */

int rtg_usage(struct rtg_usage *usage)
{
    *usage = (struct rtg_usage){.bytes = configTOTAL_HEAP_SIZE - xPortGetFreeHeapSize(),
                                .objects = uxTaskGetNumberOfTasks()};
    return RTG_OK;
}

int rtg_footprint(struct rtg_footprint *footprint)
{
    struct rtg_board_sizes sizes;
    rtg_board_get_sizes(&sizes);
    *footprint = (struct rtg_footprint){
        .code = sizes.code,
        .data = sizes.data - sizes.bss,
        .zero = sizes.bss,
        .kernel_now = configTOTAL_HEAP_SIZE - xPortGetFreeHeapSize(),
        .program_how = "the image's sections by the linker's symbols: the kernel is part of it",
        .kernel_how = "the kernel is part of the program, and not told apart",
    };
    return footprint->code != 0 ? RTG_OK : RTG_ENOSUP;
}
