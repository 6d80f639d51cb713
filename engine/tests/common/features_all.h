/* features_all.h - tries a list of features one by one and reports each. */
#ifndef RTGAUGE_TESTS_FEATURES_ALL_H
#define RTGAUGE_TESTS_FEATURES_ALL_H

#include "rtg_features.h"
#include "rtgauge/test.h"

enum { AGAIN_EVERY = 6 };

/* Whether a second try of some gives the same answers. */
static inline bool answers_repeat(const uint8_t *answer, uint32_t first, uint32_t n)
{
    const char *how;
    bool same = true;
    for (uint32_t i = 0; i < n; i += AGAIN_EVERY)
        same = rtg_feature(first + i, &how) == answer[i] && same;
    return same;
}

static inline bool tell(struct rtg_run *run, const char *name, int answer, const char *how)
{
    if (answer == RTG_OK || answer == RTG_ENOSUP)
        rtg_check(run, RTG_REPORT, name, answer == RTG_OK, how);
    else
        rtg_unchecked(run, name, answer == RTG_EINVAL ? "not applicable: no meaning here" : how);
    return answer == RTG_OK || answer == RTG_ENOSUP || answer == RTG_EINVAL;
}

/* `name` holds those from number `first` on; `answer` has room for as many. */
static inline enum rtg_outcome try_features(struct rtg_run *run, const char *const *name,
                                            uint8_t *answer, uint32_t first, uint32_t n)
{
    uint32_t answered = 0;
    const char *how = "";
    for (uint32_t i = 0; i < n; i++) {
        answer[i] = (uint8_t)rtg_feature(first + i, &how);
        answered += tell(run, name[i], answer[i], how);
        rtg_breathe(run);
    }
    if (answered == 0)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "nothing can be tried on this port");
    rtg_check(run, RTG_PROPERTY, "answers-repeat", answers_repeat(answer, first, n),
              "a second try of some of the features gives the same answers");
    rtg_check(run, RTG_CONTROL, "missing-call-works", rtg_feature(RTG_FEATURES, &how) != RTG_ENOSUP,
              "a call that no system has is said to work, or not told");
    return RTG_DONE;
}

#endif
