/* Runs the conformance checks, and what they share. */
#include "conformance.h"

#include <stdatomic.h>
#include <stddef.h>

static int32_t cpu_of_checks;
static atomic_char log_text[64];
static char log_copy[64];
static atomic_uint log_used;

int32_t conf_cpu(void)
{
    return cpu_of_checks;
}

uint32_t conf_level(unsigned role)
{
    return (rtg_level_count() - 1) * role / 3;
}

bool conf_start_as(struct rtg_thread *t, enum rtg_policy policy, unsigned role, rtg_entry entry,
                   void *arg)
{
    struct rtg_thread_spec spec = {.entry = entry,
                                   .arg = arg,
                                   .policy = policy,
                                   .level = conf_level(role),
                                   .cpu = cpu_of_checks};
    int error = rtg_thread_create(t, &spec);
    CHECK_EQUAL(error, RTG_OK);
    return error == RTG_OK;
}

static void do_nothing(void *unused)
{
    (void)unused;
}

bool conf_has(enum rtg_policy policy)
{
    static int known[RTG_DEADLINE + 1]; /* 1 yes, -1 no */
    struct rtg_thread t;
    struct rtg_thread_spec spec = {.entry = do_nothing, .policy = policy, .cpu = cpu_of_checks};
    if (known[policy] == 0) {
        int error = rtg_thread_create(&t, &spec);
        known[policy] = error == RTG_ENOSUP ? -1 : 1;
        if (error == RTG_OK)
            CHECK_EQUAL(rtg_thread_join(&t), RTG_OK);
        else if (error == RTG_ENOSUP)
            check_skipped("rtg_thread_create", policy == RTG_RR ? "no round robin" : "no FIFO");
    }
    return known[policy] > 0;
}

enum rtg_policy conf_policy(void)
{
    return conf_has(RTG_FIFO) ? RTG_FIFO : RTG_RR;
}

bool conf_start(struct rtg_thread *t, unsigned role, rtg_entry entry, void *arg)
{
    return conf_start_as(t, conf_policy(), role, entry, arg);
}

void conf_join(struct rtg_thread *t, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        CHECK_EQUAL(rtg_thread_join(&t[i]), RTG_OK);
}

void conf_let_others_run(void)
{
    int result = rtg_sleep_for(5000000);
    CHECK(result == RTG_OK || result == RTG_ENOSUP);
}

bool conf_unsupported(const char *what, int result)
{
    if (result == RTG_ENOSUP)
        check_skipped(what, "not supported");
    return result == RTG_ENOSUP;
}

void conf_busy(uint64_t ns)
{
    uint64_t end = rtg_os_now() + ns;
    while (rtg_os_now() < end)
        rtg_cpu_relax();
}

void conf_mark(char c)
{
    unsigned at = atomic_fetch_add(&log_used, 1);
    if (at + 1 < sizeof log_text)
        log_text[at] = c;
}

const char *conf_marks(void)
{
    unsigned used = atomic_exchange(&log_used, 0);
    used = used < sizeof log_text ? used : (unsigned)sizeof log_text - 1;
    for (unsigned i = 0; i < used; i++)
        log_copy[i] = log_text[i];
    log_copy[used] = 0;
    return log_copy;
}

void conf_mark_arg(void *arg)
{
    conf_mark(*(const char *)arg);
}

static const struct conf_check *const groups[] = {
    conf_process_checks,  conf_thread_checks, conf_level_checks,   conf_control_checks,
    conf_children_checks, conf_sem_checks,    conf_mutex_checks,   conf_message_checks,
    conf_signal_checks,   conf_offer_checks,  conf_time_checks,    conf_memory_checks,
    conf_file_checks,     conf_event_checks,  conf_service_checks,
};

static void run_checks(const char *no_levels)
{
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++)
        for (const struct conf_check *check = groups[i]; check->run; check++) {
            if (no_levels && check->where == CONF_LEVELS)
                check_skipped(check->operations, no_levels);
            else
                check->run();
            conf_marks();
        }
}

static void run_all(void *unused)
{
    (void)unused;
    run_checks(NULL);
}

static bool start_checks(struct rtg_thread *t)
{
    struct rtg_thread_spec spec = {.entry = run_all,
                                   .policy = conf_policy(),
                                   .level = conf_level(3),
                                   .cpu = cpu_of_checks,
                                   .stack = RTG_DIRECTOR_STACK};
    int error = rtg_thread_create(t, &spec);
    CHECK_EQUAL(error, RTG_OK);
    return error == RTG_OK;
}

void conformance_run(int32_t cpu, int realtime)
{
    struct rtg_thread t;
    cpu_of_checks = cpu;
    if (realtime != RTG_OK)
        run_checks("not supported, or not to be seen without real-time threads");
    else if (rtg_level_count() < 4)
        run_checks("needs four levels");
    else if (start_checks(&t))
        CHECK_EQUAL(rtg_thread_join(&t), RTG_OK);
}
