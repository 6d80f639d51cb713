/* The conformance checks as a program, the same for every port. Exit status 77:
 * skipped, because this process may not use real-time scheduling. */
#include "conformance.h"

/* `mode` names one of the things that end the program: see conformance_program.sh. */
static int conform(const char *mode)
{
    struct rtg_limits limits = {.max_level = UINT32_MAX,
                                .cpu = (int32_t)rtg_cpu_at(rtg_cpu_count() - 1)};
    const char *why = NULL;
    if (mode != NULL)
        return conformance_program(mode);
    int begun = rtg_port_init(&limits);
    if (!conf_unsupported("rtg_port_init", begun)) {
        CHECK_EQUAL(begun, RTG_OK);
        CHECK_EQUAL(rtg_cpu_now(), limits.cpu);
    }
    int realtime = rtg_realtime_allowed(&why);
    CHECK(realtime == RTG_OK || why != NULL);
    if (realtime == RTG_EPERM) {
        check_skipped("all", why);
        return 77;
    }
    conformance_run(limits.cpu, realtime);
    return check_end();
}

#ifdef RTG_BOARD_NAME
/* In place of the engine's; the first line of the request, if there is one, is the mode. */
int rtg_engine(void);
int rtg_engine(void)
{
    char mode[16];
    unsigned used = 0;
    while (used + 1 < sizeof mode && rtg_port_read(mode + used, 1) == 1 && mode[used] != '\n')
        used++;
    mode[used] = 0;
    return conform(used != 0 ? mode : NULL);
}
#else
int main(int argc, char **argv)
{
    return conform(argc > 1 ? argv[1] : NULL);
}
#endif
