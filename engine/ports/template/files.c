/* Memory as the system gives it, and files. */
#include "rtgauge/port.h"

int rtg_heap_get(size_t bytes, void **memory)
{
    (void)bytes;
    (void)memory;
    return RTG_ENOSUP;
}

void rtg_heap_put(void *memory)
{
    (void)memory;
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

int rtg_footprint(struct rtg_footprint *footprint)
{
    (void)footprint;
    return RTG_ENOSUP;
}

int rtg_files_where(struct rtg_files *files)
{
    (void)files;
    return RTG_ENOSUP;
}

int rtg_file_create(struct rtg_file *f, uint32_t number)
{
    (void)f;
    (void)number;
    return RTG_ENOSUP;
}

int rtg_file_open(struct rtg_file *f, uint32_t number)
{
    return rtg_file_create(f, number);
}

int rtg_file_close(struct rtg_file *f)
{
    (void)f;
    return RTG_ENOSUP;
}

int rtg_file_delete(uint32_t number)
{
    (void)number;
    return RTG_ENOSUP;
}

int rtg_file_read(struct rtg_file *f, uint64_t at, void *to, uint32_t bytes)
{
    (void)f;
    (void)at;
    (void)to;
    (void)bytes;
    return RTG_ENOSUP;
}

int rtg_file_write(struct rtg_file *f, uint64_t at, const void *from, uint32_t bytes)
{
    (void)f;
    (void)at;
    (void)from;
    (void)bytes;
    return RTG_ENOSUP;
}

int rtg_file_flush(struct rtg_file *f)
{
    (void)f;
    return RTG_ENOSUP;
}

int rtg_file_forget(struct rtg_file *f)
{
    (void)f;
    return RTG_ENOSUP;
}

int rtg_file_cached(struct rtg_file *f, uint64_t at, uint32_t bytes, bool *cached, const char **how)
{
    (void)f;
    (void)at;
    (void)bytes;
    (void)cached;
    *how = "the template has no files";
    return RTG_ENOSUP;
}
