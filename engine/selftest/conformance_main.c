/* The conformance checks as a program, the same for every port. Exit status 77:
 * skipped, because this process may not use real-time scheduling. */
#include <stdio.h>

#include "conformance.h"

/* An argument names one of the things that end the program: see conformance_program.sh. */
int main(int argc, char **argv)
{
    struct rtg_limits limits = {.max_level = UINT32_MAX,
                                .cpu = (int32_t)rtg_cpu_at(rtg_cpu_count() - 1)};
    const char *why = NULL;
    if (argc > 1)
        return conformance_program(argv[1]);
    int begun = rtg_port_init(&limits);
    if (!conf_unsupported("rtg_port_init", begun)) {
        CHECK_EQUAL(begun, RTG_OK);
        CHECK_EQUAL(rtg_cpu_now(), limits.cpu);
    }
    int realtime = rtg_realtime_allowed(&why);
    CHECK(realtime == RTG_OK || why != NULL);
    if (realtime == RTG_EPERM) {
        printf("skipped: %s\n", why);
        return 77;
    }
    conformance_run(limits.cpu, realtime);
    return check_end();
}
