/* The process: facts, counters, memory, CPUs, and the looks from outside. */
#include <stddef.h>
#include <string.h>

#include "conformance.h"

enum { MOST = RTG_MAX_FACTS };
struct list {
    unsigned n;
    const char *name[MOST];
    int64_t number[MOST];
};

static void note(void *to, const char *name, const char *text, int64_t number)
{
    struct list *list = to;
    (void)text;
    if (list->n < MOST) {
        list->name[list->n] = name;
        list->number[list->n] = number;
    }
    list->n++;
}

static bool has(const struct list *list, const char *name)
{
    for (unsigned i = 0; i < list->n && i < MOST; i++)
        if (strcmp(list->name[i], name) == 0)
            return true;
    return false;
}

static void facts_hold_what_is_promised(void)
{
    static const char *const names[] = {"os", "release", "version", "machine", "cpus", "levels"};
    struct list facts = {0};
    rtg_port_facts(note, &facts);
    CHECK(facts.n <= RTG_MAX_FACTS);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        CHECK(has(&facts, names[i]));
}

static void counters_only_grow(void)
{
    struct list before = {0}, after = {0};
    rtg_port_counters(note, &before);
    conf_let_others_run();
    rtg_port_counters(note, &after);
    CHECK_EQUAL(before.n, after.n);
    CHECK(before.n <= MOST);
    for (unsigned i = 0; i < before.n && i < after.n; i++) {
        CHECK_TEXT(after.name[i], before.name[i]);
        CHECK(after.number[i] >= before.number[i]);
    }
}

static void sample_memory_is_touchable(void)
{
    size_t bytes = 1 << 20;
    unsigned char *memory = rtg_sample_memory(&bytes);
    CHECK((memory != NULL) == (bytes != 0));
    CHECK(bytes <= 1 << 20);
    CHECK((uintptr_t)memory % _Alignof(max_align_t) == 0);
    if (memory)
        memset(memory, 0xa5, bytes);
    else
        check_skipped("rtg_sample_memory", "not supported");
}

static void scratch_comes_and_goes(void)
{
    for (unsigned i = 0; i < 3; i++) {
        size_t bytes = 100000;
        unsigned char *memory = rtg_scratch_get(&bytes);
        CHECK((memory != NULL) == (bytes != 0));
        CHECK(bytes <= 100000);
        if (!memory) {
            check_skipped("rtg_scratch_get", "not supported");
            return;
        }
        CHECK((uintptr_t)memory % _Alignof(max_align_t) == 0);
        memset(memory, 0xa5, bytes);
        rtg_scratch_put(memory, bytes);
    }
}

static void nobody_has_asked_to_stop(void)
{
    CHECK(!rtg_stop_asked());
}

static void watchdog_is_armed_and_disarmed(void)
{
    rtg_watchdog(1000000);
    rtg_watchdog(1000000000);
    conf_let_others_run();
    rtg_watchdog(5000000);
    rtg_watchdog(0);
    conf_let_others_run();
    conf_let_others_run();
    CHECK(true); /* still here */
}

static void cpus_are_different(void)
{
    uint32_t n = rtg_cpu_count();
    bool found = false;
    CHECK(n >= 1);
    for (uint32_t i = 0; i < n; i++) {
        found = found || rtg_cpu_at(i) == (uint32_t)conf_cpu();
        for (uint32_t j = 0; j < i; j++)
            CHECK(rtg_cpu_at(i) != rtg_cpu_at(j));
    }
    CHECK(found);
    CHECK_EQUAL(rtg_cpu_now(), conf_cpu());
}

static void relaxing_goes_on(void)
{
    for (unsigned i = 0; i < 1000; i++)
        rtg_cpu_relax();
    CHECK(true); /* it came back each time */
}

static void realtime_is_allowed(void)
{
    const char *why = NULL;
    int result = rtg_realtime_allowed(&why);
    CHECK(rtg_level_count() >= 1);
    if (!conf_unsupported("rtg_realtime_allowed", result))
        CHECK_EQUAL(result, RTG_OK);
}

/* ---- looking from outside ---- */

static void through_kernel(void *arg)
{
    (void)arg;
    rtg_time_of_day_syscall();
}

static void without_kernel(void *arg)
{
    ++*(volatile unsigned *)arg;
}

static void kernel_entries_are_seen(void)
{
    bool entered = false;
    const char *how = NULL;
    volatile unsigned count = 0;
    int result = rtg_kernel_entered(through_kernel, NULL, &entered, &how);
    CHECK(how != NULL);
    if (conf_unsupported("rtg_kernel_entered", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
    CHECK(entered);
    CHECK_EQUAL(rtg_kernel_entered(without_kernel, (void *)(uintptr_t)&count, &entered, &how),
                RTG_OK);
    CHECK(!entered);
    CHECK_EQUAL(count, 0); /* it ran apart from the engine */
}

static void usage_is_told(void)
{
    struct rtg_usage usage = {0};
    int result = rtg_usage(&usage);
    if (conf_unsupported("rtg_usage", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
    CHECK(usage.bytes > 0 || usage.handles > 0 || usage.objects > 0);
}

static void caches_have_sizes(void)
{
    uint64_t own = 1;
    uint64_t largest = rtg_cache_bytes(&own);
    CHECK(own <= largest);
    CHECK_EQUAL(rtg_cache_bytes(NULL), largest);
}

static void virtual_time_knows_no_caches(void)
{
    CHECK_EQUAL(rtg_virtual_ns(), rtg_virtual_ns());
    if (rtg_virtual_ns() != 0)
        CHECK_EQUAL(rtg_cache_bytes(NULL), 0);
}

static void code_is_made(void)
{
    void (*block)(void) = NULL;
    uint64_t instructions = 0;
    int result = rtg_code_make(10000, &block, &instructions);
    if (conf_unsupported("rtg_code_make", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
    CHECK(instructions > 0);
    if (block) {
        block();
        rtg_code_free(block);
    }
}

const struct conf_check conf_process_checks[] = {
    {"rtg_port_facts", facts_hold_what_is_promised, CONF_ANYWHERE},
    {"rtg_port_counters", counters_only_grow, CONF_ANYWHERE},
    {"rtg_sample_memory", sample_memory_is_touchable, CONF_ANYWHERE},
    {"rtg_scratch_get rtg_scratch_put", scratch_comes_and_goes, CONF_ANYWHERE},
    {"rtg_stop_asked", nobody_has_asked_to_stop, CONF_ANYWHERE},
    {"rtg_watchdog", watchdog_is_armed_and_disarmed, CONF_ANYWHERE},
    {"rtg_cpu_count rtg_cpu_at rtg_cpu_now", cpus_are_different, CONF_ANYWHERE},
    {"rtg_cpu_relax", relaxing_goes_on, CONF_ANYWHERE},
    {"rtg_realtime_allowed rtg_level_count", realtime_is_allowed, CONF_ANYWHERE},
    {"rtg_kernel_entered", kernel_entries_are_seen, CONF_ANYWHERE},
    {"rtg_usage", usage_is_told, CONF_ANYWHERE},
    {"rtg_cache_bytes", caches_have_sizes, CONF_ANYWHERE},
    {"rtg_virtual_ns", virtual_time_knows_no_caches, CONF_ANYWHERE},
    {"rtg_code_make rtg_code_free", code_is_made, CONF_ANYWHERE},
    {NULL, NULL, CONF_ANYWHERE},
};
