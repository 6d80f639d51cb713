/* The records that say what the engine, the system, the clock and the tests are. */
#include <string.h>

#include "core.h"

#ifndef RTG_BUILD_COMPILER
#define RTG_BUILD_COMPILER "unknown"
#endif
#ifndef RTG_BUILD_FLAGS
#define RTG_BUILD_FLAGS ""
#endif
#ifndef RTG_PORT_NAME
#define RTG_PORT_NAME "unknown"
#endif

void rtg_begin_run_begin(struct rtg_out *out, const struct rtg_request *request)
{
    rtg_record_begin(out, 9);
    text_pair(out, "r", "run-begin");
    uint_pair(out, "version", RTG_TRACE_VERSION);
    text_pair(out, "engine", RTG_ENGINE_VERSION);
    text_pair(out, "port", RTG_PORT_NAME);
    rtg_put_text(out, "build");
    rtg_put_map(out, 2);
    text_pair(out, "compiler", RTG_BUILD_COMPILER);
    text_pair(out, "flags", RTG_BUILD_FLAGS);
    uint_pair(out, "stamp_bits", RTG_STAMP_BITS);
    uint_pair(out, "frame_max", RTG_FRAME_MAX);
    rtg_put_text(out, "request");
    rtg_put_bytes(out, request->payload, request->payload_size);
}

void rtg_end_run_begin(struct rtg_out *out, size_t memory)
{
    uint_pair(out, "sample_memory", memory);
    rtg_record_end(out);
}

/* A map's size comes before its pairs, so facts are gathered first. */
struct facts {
    uint32_t count;
    struct {
        const char *name, *text;
        int64_t number;
    } line[RTG_MAX_FACTS];
};

static void gather(void *to, const char *name, const char *text, int64_t number)
{
    struct facts *facts = to;
    if (facts->count < RTG_MAX_FACTS) {
        facts->line[facts->count].name = name;
        facts->line[facts->count].text = text;
        facts->line[facts->count].number = number;
        facts->count++;
    }
}

static void put_facts(struct rtg_out *out, const struct facts *facts)
{
    rtg_put_map(out, facts->count);
    for (uint32_t i = 0; i < facts->count; i++) {
        rtg_put_text(out, facts->line[i].name);
        if (facts->line[i].text != NULL)
            rtg_put_text(out, facts->line[i].text);
        else
            rtg_put_int(out, facts->line[i].number);
    }
}

void rtg_put_system(struct rtg_out *out)
{
    struct facts facts = {0};
    rtg_port_facts(gather, &facts);
    rtg_record_begin(out, 2);
    text_pair(out, "r", "system");
    rtg_put_text(out, "facts");
    put_facts(out, &facts);
    rtg_record_end(out);
}

void rtg_put_counters(struct rtg_out *out, const char *when)
{
    struct facts facts = {0};
    rtg_port_counters(gather, &facts);
    rtg_record_begin(out, 3);
    text_pair(out, "r", "counters");
    text_pair(out, "when", when);
    rtg_put_text(out, "values");
    put_facts(out, &facts);
    rtg_record_end(out);
}

void rtg_put_clock(struct rtg_out *out, const struct rtg_clock_facts *facts)
{
    const struct rtg_clock *clock = rtg_clocks[facts->index];
    rtg_record_begin(out, 17);
    text_pair(out, "r", "clock");
    text_pair(out, "name", clock->name);
    text_pair(out, "why", facts->why);
    rtg_put_text(out, "rejected");
    rtg_put_array(out, facts->index);
    for (uint32_t i = 0; i < facts->index; i++) {
        rtg_put_map(out, 2);
        text_pair(out, "name", rtg_clocks[i]->name);
        text_pair(out, "why", facts->rejected[i]);
    }
    uint_pair(out, "width", clock->width);
    rtg_put_text(out, "direction");
    rtg_put_int(out, clock->direction);
    uint_pair(out, "rate_num", facts->rate_num);
    uint_pair(out, "rate_den", facts->rate_den);
    uint_pair(out, "rate_ppb", facts->rate_ppb);
    uint_pair(out, "resolution", facts->resolution);
    uint_pair(out, "overhead", facts->overhead);
    rtg_put_text(out, "monotonic");
    if (facts->monotonic < 0)
        rtg_put_text(out, NULL);
    else
        rtg_put_bool(out, facts->monotonic != 0);
    uint_pair(out, "cpu_offset", facts->cpu_offset);
    uint_pair(out, "anchor_stamp", facts->anchor_stamp);
    uint_pair(out, "anchor_ns", facts->anchor_ns);
    uint_pair(out, "os_resolution", facts->os_resolution);
    uint_pair(out, "os_overhead", facts->os_overhead);
    rtg_record_end(out);
}

static void put_needs(struct rtg_out *out, uint32_t needs)
{
    static const char *const names[] = {"realtime",     "two-cpus", "caches",
                                        "turn-by-turn", "files",    "slicing"};
    enum { NEEDS = sizeof names / sizeof *names };
    uint32_t count = 0;
    for (uint32_t i = 0; i < NEEDS; i++)
        count += needs >> i & 1;
    rtg_put_array(out, count);
    for (uint32_t i = 0; i < NEEDS; i++) {
        if (needs >> i & 1)
            rtg_put_text(out, names[i]);
    }
}

static void put_params(struct rtg_out *out, const struct rtg_test *test)
{
    static const char *const kinds[] = {"choice", "number", "duration"};
    uint32_t count = 0;
    while (count < RTG_MAX_PARAMS && test->params[count].name != NULL)
        count++;
    rtg_put_array(out, count);
    for (const struct rtg_param *p = test->params; p < test->params + count; p++) {
        rtg_put_map(out, 5);
        text_pair(out, "name", p->name);
        text_pair(out, "kind", kinds[p->kind]);
        text_pair(out, "sweep", p->sweep);
        text_pair(out, "legal", p->legal);
        text_pair(out, "what", p->what);
    }
}

static void put_series(struct rtg_out *out, const struct rtg_test *test)
{
    static const char *const sources[] = {"stamp", "os", "value", "host"};
    uint32_t count = 0;
    while (count < RTG_MAX_SERIES && test->series[count].name != NULL)
        count++;
    rtg_put_array(out, count);
    for (const struct rtg_series *s = test->series; s < test->series + count; s++) {
        rtg_put_map(out, 8);
        text_pair(out, "name", s->name);
        text_pair(out, "unit", s->unit);
        text_pair(out, "start", s->start);
        text_pair(out, "stop", s->stop);
        text_pair(out, "thread", s->thread);
        text_pair(out, "aux", s->aux == NULL ? "" : s->aux);
        text_pair(out, "source", sources[s->source]);
        text_pair(out, "analyse", s->analyse == NULL ? "" : s->analyse);
    }
}

/* As a record of its own, or as a map inside test-begin. */
void rtg_put_descriptor(struct rtg_out *out, const struct rtg_test *test, bool as_record)
{
    if (as_record) {
        rtg_record_begin(out, 10);
        text_pair(out, "r", "descriptor");
    } else {
        rtg_put_map(out, 9);
    }
    text_pair(out, "id", test->id);
    text_pair(out, "title", test->title);
    text_pair(out, "question", test->question);
    rtg_put_text(out, "needs");
    put_needs(out, test->needs);
    rtg_put_text(out, "samples");
    rtg_put_array(out, 3);
    for (int i = 0; i < 3; i++)
        rtg_put_uint(out, test->samples[i]);
    uint_pair(out, "about_ns", test->about_ns);
    uint_pair(out, "about_ms", test->about_ms);
    rtg_put_text(out, "params");
    put_params(out, test);
    rtg_put_text(out, "series");
    put_series(out, test);
    if (as_record)
        rtg_record_end(out);
}

void rtg_put_run_end(struct rtg_out *out, uint32_t tests, const char *why)
{
    rtg_record_begin(out, 4);
    text_pair(out, "r", "run-end");
    uint_pair(out, "tests", tests);
    uint_pair(out, "too_long", out->too_long);
    text_pair(out, "why", why);
    rtg_record_end(out);
}
