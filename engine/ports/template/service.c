/* Work that loads let the system do. */
#include "rtgauge/port.h"

int rtg_service_begin(struct rtg_service *s, enum rtg_service_kind kind)
{
    (void)s;
    (void)kind;
    return RTG_ENOSUP;
}

int rtg_service_do(struct rtg_service *s, uint64_t *things)
{
    (void)s;
    *things = 0;
    return RTG_ENOSUP;
}

int rtg_service_end(struct rtg_service *s)
{
    (void)s;
    return RTG_ENOSUP;
}
