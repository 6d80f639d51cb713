/* What the system offers and is. */
#include "rtgauge/port.h"

int rtg_feature(uint32_t feature, const char **how)
{
    (void)feature;
    *how = "this port tries nothing";
    return RTG_EFAIL;
}

int rtg_trait(enum rtg_trait trait, struct rtg_trait_value *value)
{
    (void)trait;
    (void)value;
    return RTG_ENOSUP;
}
