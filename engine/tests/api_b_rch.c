/* API-B-RCH: which services of each kind of object there are. The host adds them up. */
#include "common/features_all.h"

static const char *const names[] = {RTG_NAMES_API};

static uint8_t answers[sizeof names / sizeof *names];

static enum rtg_outcome run_test(struct rtg_run *run)
{
    return try_features(run, names, answers, RTG_FIRST_API, sizeof names / sizeof *names);
}

RTG_TEST(.id = "API-B-RCH", .title = "API richness",
         .question = "Which services does this system offer for each kind of object?",
         .about_ms = 700, .run = run_test);
