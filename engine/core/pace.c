/* How long a test may take, and how long it may keep the CPU. */
#include "core.h"

enum {
    TEST_SECONDS = 60, /* the least time that a test may take ... */
    TEST_FACTOR = 20,  /* ... and what it may take beyond its own estimate */
    WAIT_FACTOR = 3,   /* the same for what its parameters and the caches make it wait */
    STRETCH_NS = 500000000,
    BREATH_NS = 60000000,
};

/* ns that one sample waits for: its durations, and the caches to be dirtied. */
static uint64_t waiting_ns(const struct rtg_core *core)
{
    const struct rtg_test *test = core->run.test;
    uint64_t ns = core->evict_ns * RTG_MAX_SERIES;
    for (uint32_t i = 0; i < RTG_MAX_PARAMS && test->params[i].name != NULL; i++) {
        if (test->params[i].kind == RTG_DURATION)
            ns += rtg_number(&core->run, test->params[i].name);
    }
    return ns;
}

uint64_t rtg_time_allowed(const struct rtg_core *core)
{
    const uint64_t most = UINT64_MAX / 4; /* centuries; sums of it do not wrap */
    const struct rtg_test *test = core->run.test;
    uint64_t each = TEST_FACTOR * (uint64_t)test->about_ns + WAIT_FACTOR * waiting_ns(core);
    uint64_t once =
        TEST_SECONDS * 1000000000ull + TEST_FACTOR * (uint64_t)test->about_ms * 1000000u;
    return each > most / ((uint64_t)core->job->samples + 1) ? most
                                                            : once + each * core->job->samples;
}

void rtg_breathe(struct rtg_run *run)
{
    struct rtg_core *core = rtg_core_of(run);
    if (rtg_os_now() - core->breath_ns < STRETCH_NS)
        return;
    rtg_sleep_for(BREATH_NS);
    core->breath_ns = rtg_os_now();
}
