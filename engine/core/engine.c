/* The engine: read the request, get ready, run what was asked, end. */
#include "core.h"

static struct rtg_core core;

static void list_tests(void)
{
    for (const struct rtg_test *const *test = rtg_tests[0]; *test != NULL; test++)
        rtg_put_descriptor(&core.out, *test, true);
    for (const struct rtg_load *const *load = rtg_loads; *load != NULL; load++)
        rtg_put_load_descriptor(&core.out, *load);
}

/* Everything that must be there before the first sample: NULL or why not. */
static const char *get_ready(void)
{
    struct rtg_limits *limits = &core.request.limits;
    if (limits->cpu < 0)
        limits->cpu = (int32_t)rtg_cpu_at(rtg_cpu_count() - 1);
    int error = rtg_port_init(limits);
    if (error != RTG_OK) {
        rtg_end_run_begin(&core.out, 0);
        return error == RTG_EINVAL ? "the CPU asked for is not one that this process may use"
                                   : "the port could not be initialised";
    }
    core.memory_size = limits->memory;
    core.memory = core.request.list ? NULL : rtg_sample_memory(&core.memory_size);
    if (core.memory == NULL)
        core.memory_size = 0;
    rtg_end_run_begin(&core.out, core.memory_size);
    rtg_put_system(&core.out);
    return core.request.list ? NULL : rtg_calibrate(&core.clock);
}

static void find_memory_to_evict(void)
{
    size_t wanted = 2 * (size_t)rtg_cache_bytes(NULL);
    if (!core.request.dirty || wanted == 0)
        return;
    core.evict_size = wanted;
    core.evict = rtg_scratch_get(&core.evict_size);
    if (core.evict != NULL && core.evict_size < wanted) { /* less would leave something behind */
        rtg_scratch_put(core.evict, core.evict_size);
        core.evict = NULL;
    }
    core.run.core = &core;
    uint64_t begin = rtg_os_now();
    rtg_dirty(&core.run);
    core.evict_ns = rtg_os_now() - begin;
}

/* NULL, or why no test was run. */
static const char *run_jobs(uint32_t *done)
{
    find_memory_to_evict();
    rtg_spawn_init(&core);
    rtg_put_clock(&core.out, &core.clock);
    rtg_events_begin_run(&core);
    const char *error = rtg_loads_start(&core);
    while (error == NULL && *done < core.request.jobs && !rtg_stop_asked() && !core.out.broken)
        rtg_run_job(&core, (*done)++);
    rtg_loads_stop(&core);
    rtg_events_end_run(&core);
    return error;
}

int rtg_engine(void)
{
    rtg_out_init(&core.out, rtg_port_write);
    const char *error = rtg_request_read(&core.request);
    rtg_begin_run_begin(&core.out, &core.request);
    if (error == NULL)
        error = rtg_request_parse(&core.request);
    if (error == NULL)
        error = get_ready();
    else
        rtg_end_run_begin(&core.out, 0);
    uint32_t done = 0;
    if (error == NULL && core.request.list)
        list_tests();
    else if (error == NULL)
        error = run_jobs(&done);
    rtg_put_run_end(&core.out, done, error);
    return core.out.broken ? 1 : 0;
}
