/* Work that loads let the system do. */
#include "conformance.h"

static void a_kind_works(enum rtg_service_kind kind, const char *name)
{
    static struct rtg_service service;
    int error = rtg_service_begin(&service, kind);
    if (conf_unsupported(name, error))
        return;
    CHECK_EQUAL(error, RTG_OK);
    for (int i = 0; error == RTG_OK && i < 20; i++) {
        uint64_t things = 0;
        error = rtg_service_do(&service, &things);
        CHECK_EQUAL(error, RTG_OK);
        CHECK(things > 0);
    }
    CHECK_EQUAL(rtg_service_end(&service), RTG_OK);
}

/* Each kind twice: what the first one made must not stand in the way of the second. */
static void services_work(void)
{
    static const char *const names[] = {
        [RTG_SERVICE_CALLS] = "rtg_service_begin of system calls",
        [RTG_SERVICE_MEMORY] = "rtg_service_begin of memory",
        [RTG_SERVICE_FILES] = "rtg_service_begin of files",
        [RTG_SERVICE_SEARCH] = "rtg_service_begin of a search",
        [RTG_SERVICE_PACKETS] = "rtg_service_begin of packets",
    };
    for (unsigned kind = 0; kind < sizeof names / sizeof *names; kind++) {
        a_kind_works((enum rtg_service_kind)kind, names[kind]);
        a_kind_works((enum rtg_service_kind)kind, names[kind]);
    }
}

static void an_unknown_kind_is_refused(void)
{
    struct rtg_service service;
    int error = rtg_service_begin(&service, (enum rtg_service_kind)99);
    CHECK(error == RTG_EINVAL || error == RTG_ENOSUP);
}

const struct conf_check conf_service_checks[] = {
    {"rtg_service_begin rtg_service_do rtg_service_end", services_work, CONF_ANYWHERE},
    {"rtg_service_begin", an_unknown_kind_is_refused, CONF_ANYWHERE},
    {NULL, NULL, CONF_ANYWHERE},
};
