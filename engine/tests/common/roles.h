/* What several behaviour tests need to say about their levels. */
#ifndef RTGAUGE_TESTS_ROLES_H
#define RTGAUGE_TESTS_ROLES_H

#include "rtgauge/test.h"

/* Whether LO, MID, HI and TOP are four different levels here. Where the port has
 * or the user allows fewer, a test of who pre-empts whom means nothing. */
static inline bool roles_apart(void)
{
    return rtg_role_level(RTG_LO) < rtg_role_level(RTG_MID) &&
           rtg_role_level(RTG_MID) < rtg_role_level(RTG_HI) &&
           rtg_role_level(RTG_HI) < rtg_role_level(RTG_TOP);
}

#define ROLES_TOO_FEW "needs four priority levels; there are, or the user allows, fewer"

#endif
