/* API-B-PSX: which features of the POSIX standards work here. The host makes levels and
 * profiles of the answers. */
#include "common/features_all.h"

static const char *const names[] = {RTG_NAMES_POSIX};

static uint8_t answers[sizeof names / sizeof *names];

static enum rtg_outcome run_test(struct rtg_run *run)
{
    return try_features(run, names, answers, RTG_FIRST_POSIX, sizeof names / sizeof *names);
}

RTG_TEST(.id = "API-B-PSX", .title = "POSIX coverage",
         .question = "Which features of the POSIX real-time standards work on this system?",
         .about_ms = 700, .run = run_test);
