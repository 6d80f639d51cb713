/* What the system says that it offers and is. */
#include <string.h>

#include "conformance.h"
#include "rtg_features.h"

static void each_feature_has_an_answer(void)
{
    unsigned answered = 0;
    for (uint32_t i = 0; i < RTG_FEATURES; i++) {
        const char *how = NULL;
        int answer = rtg_feature(i, &how);
        CHECK(answer == RTG_OK || answer == RTG_ENOSUP || answer == RTG_EPERM ||
              answer == RTG_EINVAL || answer == RTG_EFAIL);
        CHECK(how != NULL && how[0] != 0 && strlen(how) < 160);
        answered += answer != RTG_EFAIL;
    }
    if (conf_unsupported("rtg_feature", answered == 0 ? RTG_ENOSUP : RTG_OK))
        return;
    const char *how = NULL;
    CHECK_EQUAL(rtg_feature(RTG_FEATURES, &how), RTG_ENOSUP);
}

static void traits_are_explained(void)
{
    unsigned known = 0;
    for (int i = 0; i < RTG_TRAITS; i++) {
        struct rtg_trait_value value = {.how = NULL};
        int error = rtg_trait((enum rtg_trait)i, &value);
        CHECK(error == RTG_OK || error == RTG_ENOSUP);
        if (error != RTG_OK)
            continue;
        known++;
        CHECK(value.how != NULL && value.how[0] != 0);
        CHECK(value.number >= 0);
    }
    conf_unsupported("rtg_trait", known == 0 ? RTG_ENOSUP : RTG_OK);
}

const struct conf_check conf_offer_checks[] = {
    {"rtg_feature", each_feature_has_an_answer, CONF_ANYWHERE},
    {"rtg_trait", traits_are_explained, CONF_ANYWHERE},
    {NULL, NULL, CONF_ANYWHERE},
};
