/* The records around the samples of one test. */
#include "core.h"

void rtg_put_progress(struct rtg_core *core)
{
    rtg_record_begin(&core->out, 3);
    rtg_put_text(&core->out, "r");
    rtg_put_text(&core->out, "progress");
    rtg_put_text(&core->out, "done");
    rtg_put_uint(&core->out, core->turn);
    rtg_put_text(&core->out, "of");
    rtg_put_uint(&core->out, core->turns);
    rtg_record_end(&core->out);
}

void rtg_put_test_begin(struct rtg_core *core, uint32_t index, bool chunks)
{
    struct rtg_out *out = &core->out;
    rtg_record_begin(out, 9);
    rtg_put_text(out, "r");
    rtg_put_text(out, "test-begin");
    rtg_put_text(out, "job");
    rtg_put_uint(out, index);
    rtg_put_text(out, "id");
    rtg_put_text(out, core->run.test->id);
    rtg_put_text(out, "params");
    rtg_put_map(out, core->job->params);
    for (uint32_t i = 0; i < core->job->params; i++) {
        rtg_put_text(out, core->job->param[i].name);
        if (core->job->param[i].text != NULL)
            rtg_put_text(out, core->job->param[i].text);
        else
            rtg_put_uint(out, core->job->param[i].number);
    }
    rtg_put_text(out, "samples");
    rtg_put_uint(out, core->job->samples);
    rtg_put_text(out, "mode");
    rtg_put_text(out, core->accumulate.on ? "accumulate" : chunks ? "chunk" : "store");
    rtg_put_text(out, "cpu");
    rtg_put_uint(out, (uint64_t)core->request.limits.cpu);
    rtg_put_text(out, "at");
    rtg_put_uint(out, rtg_os_now());
    rtg_put_text(out, "descriptor");
    rtg_put_descriptor(out, core->run.test, false);
    rtg_record_end(out);
    rtg_put_counters(out, "before");
}

static void put_counts(struct rtg_core *core, const char *key, bool dropped)
{
    rtg_put_text(&core->out, key);
    rtg_put_array(&core->out, core->series);
    for (uint32_t i = 0; i < core->series; i++)
        rtg_put_uint(&core->out, dropped ? core->run.series[i].dropped : core->drained[i]);
}

void rtg_put_test_end(struct rtg_core *core)
{
    static const char *const names[] = {"done", "not-supported", "not-permitted", "invalid",
                                        "inconclusive"};
    struct rtg_out *out = &core->out;
    rtg_put_counters(out, "after");
    rtg_record_begin(out, 7);
    rtg_put_text(out, "r");
    rtg_put_text(out, "test-end");
    rtg_put_text(out, "outcome");
    rtg_put_text(out, names[core->outcome]);
    rtg_put_text(out, "reason");
    rtg_put_text(out, core->reason[0] != 0 ? core->reason : NULL);
    put_counts(core, "recorded", false);
    put_counts(core, "dropped", true);
    rtg_put_text(out, "at");
    rtg_put_uint(out, rtg_os_now());
    rtg_put_text(out, "stopped");
    rtg_put_bool(out, atomic_load(&core->tally->stopped));
    rtg_record_end(out);
}
