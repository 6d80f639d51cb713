/* Threads of a test: created, and their properties read back from the running
 * system before they do anything. */
#include "core.h"

uint32_t rtg_role_level(enum rtg_role role)
{
    return (uint32_t)((uint64_t)(rtg_level_count() - 1) * role / RTG_TOP);
}

uint32_t rtg_spread_level(uint32_t i, uint32_t n)
{
    return n == 0 ? 0 : (uint32_t)((uint64_t)(rtg_level_count() - 1) * i / n);
}

int32_t rtg_test_cpu(void)
{
    return (int32_t)rtg_cpu_now();
}

void rtg_broken(struct rtg_run *run, const char *why)
{
    struct rtg_core *core = rtg_core_of(run);
    bool expected = false;
    if (atomic_compare_exchange_strong(&core->tally->broken, &expected, true))
        core->tally->broken_why = why;
}

/* What the system says of the caller against what was asked. */
void rtg_read_back(struct rtg_run *run, const struct rtg_thread_spec *asked)
{
    struct rtg_core *core = rtg_core_of(run);
    struct rtg_thread_state got;
    bool leveled = asked->policy == RTG_FIFO || asked->policy == RTG_RR;
    if (rtg_thread_query(NULL, &got) != RTG_OK)
        rtg_broken(run, "the system does not tell the policy and level of a thread");
    else if (got.policy != asked->policy)
        rtg_broken(run, "a thread did not get the policy that was asked for");
    else if (leveled && got.level != (int32_t)asked->level)
        rtg_broken(run, "a thread did not get the level that was asked for");
    else if (asked->cpu >= 0 && got.cpu < 0)
        rtg_broken(run, "threads cannot be held on one CPU here, and there are several");
    else if (asked->cpu >= 0 && (got.cpu != asked->cpu || (int32_t)rtg_cpu_now() != asked->cpu))
        rtg_broken(run, "a thread does not run on the CPU that was asked for");
    atomic_fetch_add(&core->tally->verified, 1);
}

/* Entry of every spawned thread: gives its slot back at once, so that only
 * threads that have not begun hold one. */
static void begin(void *arg)
{
    struct rtg_spawn_slot *slot = arg;
    struct rtg_run *run = slot->run;
    struct rtg_thread_spec spec = slot->spec;
    atomic_store(&slot->taken, false);
    rtg_read_back(run, &spec);
    spec.entry(spec.arg);
}

static struct rtg_spawn_slot *take_slot(struct rtg_core *core)
{
    for (uint32_t i = 0; i < RTG_MAX_SPAWNS; i++) {
        bool expected = false;
        if (atomic_compare_exchange_strong(&core->slot[i].taken, &expected, true))
            return &core->slot[i];
    }
    return NULL;
}

/* A port that knows why threads cannot have a policy says so in its own words. */
static enum rtg_outcome refused(struct rtg_run *run, int error, enum rtg_policy policy,
                                const char *call)
{
    const char *why = NULL;
#ifdef RTG_PORT_TELLS_POLICY
    if (error == RTG_ENOSUP)
        why = rtg_policy_lacking(policy);
#else
    (void)policy;
#endif
    return why != NULL ? rtg_reason(run, RTG_NOT_SUPPORTED, why) : rtg_error(run, error, call);
}

bool rtg_spawn_as(struct rtg_run *run, struct rtg_thread *t, const struct rtg_thread_spec *spec)
{
    struct rtg_spawn_slot *slot = take_slot(rtg_core_of(run));
    if (slot == NULL) {
        rtg_core_of(run)->unspawned =
            rtg_reason(run, RTG_INVALID, "more threads at once than this engine can start");
        return false;
    }
    slot->run = run;
    slot->spec = *spec;
    struct rtg_thread_spec wrapped = *spec;
    wrapped.entry = begin;
    wrapped.arg = slot;
    int error = rtg_thread_create(t, &wrapped);
    if (error != RTG_OK) {
        atomic_store(&slot->taken, false);
        rtg_core_of(run)->unspawned = refused(run, error, spec->policy, "creating a thread");
    }
    return error == RTG_OK;
}

bool rtg_spawn(struct rtg_run *run, struct rtg_thread *t, uint32_t level, rtg_entry entry,
               void *arg)
{
    struct rtg_thread_spec spec = {.entry = entry,
                                   .arg = arg,
                                   .policy = rtg_core_of(run)->realtime,
                                   .level = level,
                                   .cpu = rtg_test_cpu()};
    return rtg_spawn_as(run, t, &spec);
}

static void do_nothing(void *unused)
{
    (void)unused;
}

bool rtg_has_policy(const struct rtg_run *run, enum rtg_policy policy)
{
    struct rtg_thread thread;
    struct rtg_thread_spec spec = {.entry = do_nothing,
                                   .policy = policy,
                                   .level = rtg_role_level(RTG_LO),
                                   .cpu = rtg_core_of(run)->request.limits.cpu};
    int error = rtg_thread_create(&thread, &spec);
    if (error == RTG_OK)
        rtg_thread_join(&thread);
    return error != RTG_ENOSUP;
}

bool rtg_spawn_process(struct rtg_run *run, struct rtg_process *p,
                       const struct rtg_thread_spec *spec)
{
    struct rtg_spawn_slot slot = {.run = run, .spec = *spec};
    struct rtg_thread_spec wrapped = *spec;
    wrapped.entry = begin;
    wrapped.arg = &slot; /* the process has its own copy */
    int error = rtg_process_create(p, &wrapped);
    if (error != RTG_OK)
        rtg_core_of(run)->unspawned = rtg_error(run, error, "creating a process");
    return error == RTG_OK;
}

enum rtg_outcome rtg_unspawned(const struct rtg_run *run)
{
    return rtg_core_of(run)->unspawned;
}

void rtg_self_level(struct rtg_run *run, uint32_t level)
{
    struct rtg_thread_state got;
    if (rtg_thread_set_level(NULL, level, 0) != RTG_OK)
        rtg_broken(run, "a thread could not change its own level");
    else if (rtg_thread_query(NULL, &got) != RTG_OK || got.level != (int32_t)level)
        rtg_broken(run, "a thread changed its level, and the system did not follow");
}

void rtg_watch_begin(struct rtg_run *run, struct rtg_thread_state *before)
{
    if (rtg_thread_query(NULL, before) != RTG_OK)
        rtg_broken(run, "the system does not tell how a thread was treated");
    before->cpu = (int32_t)rtg_cpu_now();
}

void rtg_watch_end(struct rtg_run *run, const struct rtg_thread_state *before)
{
    struct rtg_core *core = rtg_core_of(run);
    struct rtg_thread_state after;
    if (rtg_thread_query(NULL, &after) != RTG_OK)
        return;
    atomic_fetch_add(&core->tally->watched, 1);
    atomic_fetch_add(&core->tally->involuntary, after.involuntary - before->involuntary);
    atomic_fetch_add(&core->tally->faults, after.faults - before->faults);
    if ((int32_t)rtg_cpu_now() != before->cpu)
        atomic_fetch_add(&core->tally->moved, 1);
}

void rtg_spawn_init(struct rtg_core *core)
{
    static struct rtg_tally own; /* enough where there are no processes */
    size_t bytes = sizeof *core->tally;
    core->tally = rtg_shared_get(&bytes);
    if (core->tally == NULL || bytes < sizeof *core->tally)
        core->tally = &own;
}

void rtg_spawn_reset(struct rtg_core *core)
{
    struct rtg_tally *tally = core->tally;
    for (uint32_t i = 0; i < RTG_MAX_SPAWNS; i++)
        atomic_store(&core->slot[i].taken, false);
    atomic_store(&tally->stopped, false);
    atomic_store(&tally->broken, false);
    atomic_store(&tally->broken_why, NULL);
    atomic_store(&tally->verified, 0);
    atomic_store(&tally->watched, 0);
    atomic_store(&tally->involuntary, 0);
    atomic_store(&tally->faults, 0);
    atomic_store(&tally->moved, 0);
}

void rtg_spawn_report(struct rtg_core *core)
{
    if (atomic_load(&core->tally->verified) != 0)
        rtg_evidence(&core->run, "threads_read_back", atomic_load(&core->tally->verified), "");
    if (atomic_load(&core->tally->watched) == 0)
        return;
    rtg_evidence_switches(&core->run, "involuntary_switches",
                          (int64_t)atomic_load(&core->tally->involuntary));
    rtg_evidence(&core->run, "page_faults", (int64_t)atomic_load(&core->tally->faults), "");
    rtg_evidence(&core->run, "cpu_changes", atomic_load(&core->tally->moved), "");
}

/* ---- spinning ----------------------------------------------------------- */

void rtg_spin(uint64_t ns)
{
    uint64_t end = rtg_os_now() + ns;
    while (rtg_os_now() < end)
        rtg_cpu_relax();
}

#ifndef RTG_PORT_HAS_WORK
/* A chain of dependent steps that no compiler can shorten. */
void rtg_work(uint32_t rounds)
{
    static volatile uint32_t result;
    uint32_t x = rounds;
    while (rounds-- != 0)
        x = x * 1664525u + 1013904223u;
    result = x;
    (void)result;
}
#endif

uint32_t rtg_work_rounds(uint64_t ns)
{
    enum { TRIAL = 20000, TRIES = 15 };
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t begin_ns = rtg_os_now();
        rtg_work(TRIAL);
        uint64_t took = rtg_os_now() - begin_ns;
        least = took < least ? took : least;
    }
    uint64_t rounds = least == 0 ? 1 : ns * TRIAL / least;
    return rounds == 0 ? 1 : rounds > UINT32_MAX ? UINT32_MAX : (uint32_t)rounds;
}
