/* Memory: for samples and tests, and what the process holds of it. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "fake.h"

#define MEMORY_MAX ((size_t)256 << 20) /* of one request */
#define STANDARD_HANDLES 3u

static bool samples_given;
static uint64_t scratch_bytes;

static void *get(size_t *bytes)
{
    size_t wanted = *bytes < MEMORY_MAX ? *bytes : MEMORY_MAX;
    *bytes = 0;
    if (wanted == 0)
        return NULL;
    void *memory = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    memset(memory, 0, wanted);
    *bytes = wanted;
    return memory;
}

void *rtg_sample_memory(size_t *bytes)
{
    if (samples_given)
        *bytes = 0;
    if (fake_has(FAULT_SAMPLES_OVERFLOW) && *bytes > fake_k * 1024)
        *bytes = fake_k * 1024;
    void *memory = get(bytes);
    samples_given = samples_given || memory;
    return memory;
}

void *rtg_scratch_get(size_t *bytes)
{
    void *memory = get(bytes);
    scratch_bytes += *bytes;
    return memory;
}

void rtg_scratch_put(void *memory, size_t bytes)
{
    if (memory && munmap(memory, bytes) == 0)
        scratch_bytes -= bytes;
}

void *rtg_shared_get(size_t *bytes)
{
    return rtg_scratch_get(bytes);
}

void rtg_shared_put(void *memory, size_t bytes)
{
    rtg_scratch_put(memory, bytes);
}

int rtg_usage(struct rtg_usage *usage)
{
    if (!usage)
        return RTG_EINVAL;
    fake_enter_kernel();
    fake_compute(fake_costs.syscall);
    usage->bytes = fake_counts.threads * FAKE_STACK_BYTES +
                   fake_counts.objects * FAKE_OBJECT_BYTES + fake_counts.heap_bytes + scratch_bytes;
    usage->handles = STANDARD_HANDLES + fake_counts.handles;
    usage->objects = fake_counts.threads + fake_counts.objects;
    return RTG_OK;
}

/* Virtual time knows no caches. */
uint32_t rtg_virtual_ns(void)
{
    return 0; /* time passes by the costs of operations */
}

uint64_t rtg_cache_bytes(uint64_t *private_)
{
    if (private_)
        *private_ = 0;
    return 0;
}

int rtg_code_make(size_t bytes, void (**block)(void), uint64_t *instructions)
{
    (void)bytes;
    (void)block;
    (void)instructions;
    return RTG_ENOSUP;
}

void rtg_code_free(void (*block)(void))
{
    (void)block;
}
