/* The C library's allocator. POSIX has no pools of fixed blocks. */
#include <stdlib.h>

#include "posix.h"

int rtg_heap_get(size_t bytes, void **memory)
{
    *memory = malloc(bytes);
    return *memory != NULL ? RTG_OK : RTG_EFULL;
}

void rtg_heap_put(void *memory)
{
    free(memory);
}

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
