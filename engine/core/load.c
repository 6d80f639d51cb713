/* Loads: found, placed, started before the first test and ended with the run. */
#include <string.h>

#include "core.h"
#include "load_worker.h"

enum {
    START_NS = 2000000000, /* a worker may take so long to prepare and calibrate itself ... */
    STARTS = 10,           /* ... times this */
    LOOK_NS = 1000000,
    END_NS = 2000000000, /* what workers get to end in good order */
};

/* The CPU of the i-th worker of a load, -1 for any; false when there is none. */
static bool place(const struct rtg_load *load, const struct rtg_request *request, uint32_t i,
                  int32_t *cpu)
{
    bool others = load->where & RTG_LOAD_OTHER_CPUS;
    bool anywhere = request->load_cpus == RTG_LOAD_ANYWHERE;
    if (i != 0 && !(load->where & RTG_LOAD_EVERY_CPU))
        return false;
    *cpu = anywhere ? -1 : request->limits.cpu;
    if (!others && request->load_cpus == RTG_LOAD_BESIDE)
        return i == 0;
    if (!others && anywhere)
        return i < rtg_cpu_count();
    for (uint32_t k = 0; k < rtg_cpu_count(); k++) {
        *cpu = (int32_t)rtg_cpu_at(k);
        if ((anywhere || *cpu != request->limits.cpu) && i-- == 0)
            return true;
    }
    return false;
}

static const struct rtg_load *find_load(const char *name)
{
    const struct rtg_load *const *load = rtg_loads;
    while (*load != NULL && !rtg_same((*load)->name, name))
        load++;
    return *load;
}

static const char *complain(struct rtg_core *core, const char *name, const char *what)
{
    char *why = core->reason; /* no test is under way */
    why[0] = 0;
    rtg_append(why, sizeof core->reason, "load ");
    rtg_append(why, sizeof core->reason, name);
    rtg_append(why, sizeof core->reason, ": ");
    rtg_append(why, sizeof core->reason, what);
    return why;
}

static const char *complain_of(struct rtg_core *core, const struct rtg_load_worker *worker)
{
    const char *what = atomic_load(&worker->failed_at);
    complain(core, worker->load->name, what != NULL ? what : "starting it");
    rtg_append(core->reason, sizeof core->reason, ": ");
    rtg_append(core->reason, sizeof core->reason, rtg_error_text(atomic_load(&worker->error)));
    return core->reason;
}

static void live(void *arg)
{
    struct rtg_load_worker *worker = arg;
    worker->load->run(worker);
    atomic_store(&worker->state, RTG_LOAD_ENDED);
}

/* NULL, or why the worker does not work. */
static const char *start(struct rtg_core *core, struct rtg_load_worker *worker)
{
    struct rtg_thread_spec spec = {
        .entry = live, .arg = worker, .policy = RTG_NORMAL, .cpu = worker->cpu};
    uint64_t limit = core->request.limits.time_ns, now = rtg_os_now();
    worker->until_ns = limit != 0 ? now + limit : UINT64_MAX;
    int error = rtg_process_create(&worker->process, &spec);
    worker->is_process = error == RTG_OK;
    if (error == RTG_ENOSUP)
        error = rtg_thread_create(&worker->thread, &spec);
    if (error != RTG_OK) {
        atomic_store(&worker->error, error);
        return complain_of(core, worker);
    }
    core->loads.started++;
    while (atomic_load(&worker->state) == RTG_LOAD_PREPARES) {
        if (rtg_os_now() - now > (uint64_t)START_NS * STARTS)
            return complain(core, worker->load->name, "it was not ready within 20 s");
        rtg_sleep_for(LOOK_NS);
    }
    return atomic_load(&worker->error) != RTG_OK ? complain_of(core, worker) : NULL;
}

/* Lays out the workers of all loads; NULL or why not. With `worker` NULL they are only
 * counted. */
static const char *lay_out(struct rtg_core *core, struct rtg_load_worker *worker, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < core->request.loads; i++) {
        const struct rtg_load *load = find_load(core->request.load[i]);
        uint32_t before = *count;
        int32_t cpu;
        if (load == NULL)
            return complain(core, core->request.load[i], "this engine has no such load");
        for (uint32_t k = 0; place(load, &core->request, k, &cpu); k++, ++*count) {
            if (worker != NULL) {
                worker[*count].load = load;
                worker[*count].cpu = cpu;
            }
        }
        if (*count == before)
            return complain(core, load->name, "no CPU is left for it beside the one under test");
    }
    return NULL;
}

const char *rtg_loads_start(struct rtg_core *core)
{
    struct rtg_load_set *loads = &core->loads;
    uint32_t count;
    const char *why = lay_out(core, NULL, &count);
    if (why != NULL || count == 0)
        return why;
    size_t wanted = count * sizeof *loads->worker, bytes = wanted;
    loads->worker = rtg_shared_get(&bytes);
    if (loads->worker == NULL || bytes < wanted)
        return "loads: there is no memory for what they count";
    lay_out(core, loads->worker, &loads->count);
    for (uint32_t i = 0; i < loads->count && why == NULL; i++)
        why = start(core, &loads->worker[i]);
    return why;
}

static bool all_ended(const struct rtg_load_set *loads)
{
    for (uint32_t i = 0; i < loads->started; i++) {
        if (atomic_load(&loads->worker[i].state) != RTG_LOAD_ENDED)
            return false;
    }
    return true;
}

/* Workers that end by themselves leave nothing behind; those that do not are killed. */
void rtg_loads_stop(struct rtg_core *core)
{
    struct rtg_load_set *loads = &core->loads;
    for (uint32_t i = 0; i < loads->started; i++)
        atomic_store(&loads->worker[i].end, true);
    for (uint64_t begin = rtg_os_now(); !all_ended(loads) && rtg_os_now() - begin < END_NS;)
        rtg_sleep_for(LOOK_NS);
    for (uint32_t i = 0; i < loads->started; i++) {
        struct rtg_load_worker *worker = &loads->worker[i];
        if (worker->is_process)
            rtg_process_kill(&worker->process);
        else if (atomic_load(&worker->state) == RTG_LOAD_ENDED)
            rtg_thread_join(&worker->thread);
    }
    loads->started = 0;
}
