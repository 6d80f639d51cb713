/* Work that loads let the kernel do: short calls, and memory from its heap. */
#include <string.h>

#include "freertos.h"

enum { THINGS = 32, BLOCKS = 8 };

int rtg_service_begin(struct rtg_service *s, enum rtg_service_kind kind)
{
    *s = (struct rtg_service){.kind = (int)kind};
    if (kind > RTG_SERVICE_PACKETS)
        return RTG_EINVAL;
    return kind == RTG_SERVICE_CALLS || kind == RTG_SERVICE_MEMORY ? RTG_OK : RTG_ENOSUP;
}

static uint64_t call(void)
{
    for (int i = 0; i < THINGS; i++)
        (void)uxTaskPriorityGet(NULL);
    return THINGS;
}

/* Blocks of 16 bytes to 2 KB. */
static uint64_t allocate(struct rtg_service *s)
{
    uint64_t got = 0;
    for (unsigned i = 0; i < BLOCKS; i++) {
        size_t bytes = (size_t)16 << i;
        s->block[i] = pvPortMalloc(bytes);
        if (s->block[i] == NULL)
            continue;
        memset(s->block[i], (int)i, bytes);
        got++;
    }
    for (unsigned i = 0; i < BLOCKS; i++) {
        vPortFree(s->block[i]);
        s->block[i] = NULL;
    }
    return got;
}

int rtg_service_do(struct rtg_service *s, uint64_t *things)
{
    *things = s->kind == RTG_SERVICE_MEMORY ? allocate(s) : call();
    return *things != 0 ? RTG_OK : RTG_EFULL;
}

int rtg_service_end(struct rtg_service *s)
{
    (void)s;
    return RTG_OK;
}
