/* The conformance checks as a program, the same for every port. Exit status 77:
 * skipped, because this process may not use real-time scheduling. */
#include <stdio.h>

#include "conformance.h"

int main(void)
{
    struct rtg_limits limits = {.max_level = UINT32_MAX,
                                .cpu = (int32_t)rtg_cpu_at(rtg_cpu_count() - 1)};
    const char *why = NULL;
    CHECK_EQUAL(rtg_port_init(&limits), RTG_OK);
    if (rtg_realtime_allowed(&why) != RTG_OK) {
        printf("skipped: %s\n", why);
        return 77;
    }
    conformance_run(limits.cpu);
    return check_end();
}
