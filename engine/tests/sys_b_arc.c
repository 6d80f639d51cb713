/* SYS-B-ARC: what the system is built like; of each fact, whether it was found by trying. */
#include "common/roles.h"

enum { MANY = 256 };

struct question {
    enum rtg_trait trait;
    const char *name, *unit; /* NULL: yes or no */
};

static const struct question questions[] = {
    {RTG_TASK_MODEL, "task-model", NULL},
    {RTG_TASK_STATES, "states", ""},
    {RTG_MMU, "mmu", NULL},
    {RTG_PAGE_SIZE, "page-size", "B"},
    {RTG_PAGING, "paging", NULL},
    {RTG_PROTECTION, "protection", NULL},
    {RTG_PRIVILEGE, "privilege", NULL},
    {RTG_IRQ_NESTING, "interrupt-nesting", NULL},
    {RTG_HANDLER_CONTEXT, "handler-context", NULL},
    {RTG_HANDLER_STACK, "handler-stack", NULL},
    {RTG_HANDLER_CALLS, "handler-calls", NULL},
    {RTG_LEAST_RAM, "least-ram", "B"},
    {RTG_LARGEST_TASKS, "declared-number-of-tasks", ""},
};

static void join_words(char *to, size_t size, const char *a, const char *b)
{
    size_t used = 0;
    for (; *a != 0 && used + 1 < size; a++)
        to[used++] = *a;
    for (; *b != 0 && used + 1 < size; b++)
        to[used++] = *b;
    to[used] = 0;
}

static void report(struct rtg_run *run, const char *name, bool holds, bool tried, const char *how)
{
    char text[160];
    join_words(text, sizeof text, tried ? "found by trying: " : "declared: ", how);
    rtg_check(run, RTG_REPORT, name, holds, text);
}

static void ask(struct rtg_run *run, const struct question *q)
{
    struct rtg_trait_value value;
    if (rtg_trait(q->trait, &value) != RTG_OK) {
        rtg_unchecked(run, q->name, "not known on this system");
        return;
    }
    report(run, q->name, value.holds, value.tried, value.how);
    if (q->unit != NULL)
        rtg_evidence(run, q->name, value.number, q->unit);
}

/* ---- levels and policies --------------------------------------------------- */

/* Whether the caller gets each level, as it reads it back. */
static bool every_level_in_force(void)
{
    struct rtg_thread_state is;
    bool all = true;
    for (uint32_t level = 0; level < rtg_level_count(); level++) {
        all = rtg_thread_set_level(NULL, level, 0) == RTG_OK &&
              rtg_thread_query(NULL, &is) == RTG_OK && is.level == (int32_t)level && all;
    }
    return all;
}

static void ask_levels(struct rtg_run *run)
{
    const char *why;
    if (rtg_realtime_allowed(&why) != RTG_OK) {
        rtg_unchecked(run, "priority-levels", why);
        return;
    }
    uint32_t top = rtg_role_level(RTG_TOP);
    bool all = every_level_in_force();
    bool beyond = rtg_thread_set_level(NULL, rtg_level_count(), 0) == RTG_OK;
    rtg_thread_set_level(NULL, top, 0);
    rtg_check(run, RTG_PROPERTY, "priority-levels", all,
              "found by trying: each level that is told can be set and is read back");
    rtg_check(run, RTG_CONTROL, "level-beyond-last", beyond,
              "a level above the highest that is told can be set as well");
    rtg_evidence(run, "priority-levels", rtg_level_count(), "");
}

static enum rtg_policy seen;

static void look(void *unused)
{
    struct rtg_thread_state is;
    (void)unused;
    seen = rtg_thread_query(NULL, &is) == RTG_OK ? is.policy : RTG_NORMAL;
}

static void ask_policies(struct rtg_run *run)
{
    static const char *const names[] = {"policy-normal", "policy-fifo", "policy-round-robin",
                                        "policy-deadline"};
    int64_t count = 0;
    for (int policy = RTG_NORMAL; policy <= RTG_DEADLINE; policy++) {
        struct rtg_thread t;
        struct rtg_thread_spec spec = {.entry = look,
                                       .policy = (enum rtg_policy)policy,
                                       .cpu = policy == RTG_DEADLINE ? -1 : rtg_test_cpu(),
                                       .runtime_ns = 1000000,
                                       .period_ns = 10000000};
        seen = policy == RTG_NORMAL ? RTG_FIFO : RTG_NORMAL;
        int error = rtg_thread_create(&t, &spec);
        if (error == RTG_EPERM) {
            rtg_unchecked(run, names[policy], "not permitted");
            continue;
        }
        if (error == RTG_OK)
            rtg_thread_join(&t);
        bool holds = error == RTG_OK && seen == (enum rtg_policy)policy;
        report(run, names[policy], holds, true, "a thread was created under it and read it back");
        count += holds;
    }
    rtg_evidence(run, "policies", count, "");
}

/* ---- many tasks ------------------------------------------------------------ */

static void wait_at(void *gate)
{
    rtg_sem_acquire(gate);
}

static void ask_tasks(struct rtg_run *run)
{
    static struct rtg_thread thread[MANY];
    struct rtg_sem gate;
    uint32_t made = 0;
    if (rtg_sem_create(&gate, RTG_COUNTING, RTG_UNNAMED, 0) != RTG_OK)
        return;
    for (; made < MANY; made++) {
        struct rtg_thread_spec spec = {
            .entry = wait_at, .arg = &gate, .policy = RTG_NORMAL, .cpu = rtg_test_cpu()};
        if (rtg_thread_create(&thread[made], &spec) != RTG_OK)
            break;
    }
    for (uint32_t i = 0; i < made; i++)
        rtg_sem_release(&gate);
    for (uint32_t i = 0; i < made; i++)
        rtg_thread_join(&thread[i]);
    rtg_sem_destroy(&gate);
    report(run, "largest-number-of-tasks", made == MANY, true,
           "so many threads waited at the same time; more were not tried");
    rtg_evidence(run, "largest-number-of-tasks", made, "");
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    ask_levels(run);
    ask_policies(run);
    ask_tasks(run);
    for (unsigned i = 0; i < sizeof questions / sizeof *questions; i++)
        ask(run, &questions[i]);
    return RTG_DONE;
}

RTG_TEST(.id = "SYS-B-ARC", .title = "Architecture",
         .question = "What is this system built like: tasks, levels, memory, interrupts?",
         .about_ms = 100, .run = run_test);
