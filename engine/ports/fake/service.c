/* Work that loads let the system do: calls and memory. There is no medium and no network. */
#include "fake.h"

enum { THINGS = 32 }; /* of one piece */

int rtg_service_begin(struct rtg_service *s, enum rtg_service_kind kind)
{
    if (!s || kind > RTG_SERVICE_PACKETS)
        return RTG_EINVAL;
    *s = (struct rtg_service){.kind = (int)kind};
    return kind == RTG_SERVICE_CALLS || kind == RTG_SERVICE_MEMORY ? RTG_OK : RTG_ENOSUP;
}

int rtg_service_do(struct rtg_service *s, uint64_t *things)
{
    bool memory = s->kind == RTG_SERVICE_MEMORY;
    for (int i = 0; i < THINGS; i++) {
        if (!memory)
            fake_enter_kernel();
        fake_compute(memory ? fake_costs.block_cycle : fake_costs.syscall);
    }
    *things = THINGS;
    return RTG_OK;
}

int rtg_service_end(struct rtg_service *s)
{
    (void)s;
    return RTG_OK;
}
