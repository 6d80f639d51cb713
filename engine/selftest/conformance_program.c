/* What a port does to the process: each mode ends it in a way that the caller can see. */
#include <string.h>

#include "conformance.h"

enum { SKIPPED = 77, ENDED = 42, FAILED = 1 };

static bool begin(uint32_t max_level)
{
    struct rtg_limits limits = {.max_level = max_level,
                                .cpu = (int32_t)rtg_cpu_at(rtg_cpu_count() - 1)};
    return rtg_port_init(&limits) == RTG_OK;
}

static int end(void)
{
    rtg_port_exit(ENDED);
    return FAILED; /* it came back */
}

/* Hands back all that it is given, up to the end. */
static int echo(void)
{
    char some[7];
    long got;
    while ((got = rtg_port_read(some, sizeof some)) > 0)
        if (rtg_port_write(some, (size_t)got) != RTG_OK)
            return FAILED;
    return got == 0 ? end() : FAILED;
}

/* Says that it is there, and ends when it is asked to. */
static int stop(void)
{
    if (rtg_stop_asked() || rtg_port_write("ready\n", 6) != RTG_OK)
        return FAILED;
    while (!rtg_stop_asked())
        rtg_sleep_for(1000000);
    return end();
}

static void spin(void *unused)
{
    (void)unused;
    rtg_watchdog(20000000);
    for (;;)
        rtg_cpu_relax();
}

/* A thread at the highest level never gives the CPU up: the watchdog must end it. */
static int watchdog(void)
{
    struct rtg_thread t;
    const char *why;
    struct rtg_thread_spec spec = {.entry = spin,
                                   .policy = conf_policy(),
                                   .level = rtg_level_count() - 1,
                                   .cpu = (int32_t)rtg_cpu_at(rtg_cpu_count() - 1)};
    if (rtg_realtime_allowed(&why) != RTG_OK)
        return SKIPPED;
    if (rtg_thread_create(&t, &spec) == RTG_OK)
        rtg_thread_join(&t);
    return FAILED;
}

/* No thread may be put above the level that the user allows (1, by begin). */
static int limits(void)
{
    struct rtg_thread t;
    struct rtg_thread_spec spec = {.entry = spin, .policy = conf_policy(), .level = 2, .cpu = -1};
    if (rtg_level_count() > 2 || rtg_thread_create(&t, &spec) != RTG_EINVAL)
        return FAILED;
    return end();
}

int conformance_program(const char *mode)
{
    static const struct {
        const char *name;
        int (*run)(void);
        uint32_t max_level;
    } modes[] = {
        {"exit", end, UINT32_MAX}, {"echo", echo, UINT32_MAX},         {"stop", stop, UINT32_MAX},
        {"limits", limits, 1},     {"watchdog", watchdog, UINT32_MAX},
    };
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, mode) == 0)
            return begin(modes[i].max_level) ? modes[i].run() : SKIPPED;
    return -1;
}
