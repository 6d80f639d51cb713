/* What loads are, and what they did during a test. */
#include "core.h"
#include "load_worker.h"

enum { ENOUGH_PERCENT = 95 }; /* of the wanted degree counts as reached */

void rtg_put_load_descriptor(struct rtg_out *out, const struct rtg_load *load)
{
    rtg_record_begin(out, 8);
    text_pair(out, "r", "load-descriptor");
    text_pair(out, "name", load->name);
    text_pair(out, "what", load->what);
    text_pair(out, "degree", load->degree);
    text_pair(out, "unit", load->unit);
    uint_pair(out, "wanted", load->wanted);
    rtg_put_text(out, "every_cpu");
    rtg_put_bool(out, load->where & RTG_LOAD_EVERY_CPU);
    rtg_put_text(out, "other_cpus");
    rtg_put_bool(out, load->where & RTG_LOAD_OTHER_CPUS);
    rtg_record_end(out);
}

void rtg_loads_mark(struct rtg_core *core)
{
    struct rtg_load_set *loads = &core->loads;
    for (uint32_t i = 0; i < loads->count; i++)
        loads->worker[i].done_before = atomic_load(&loads->worker[i].done);
    loads->since_ns = rtg_os_now();
    loads->marked = true;
}

/* All workers of one load together. */
struct total {
    uint64_t done, turn, workers;
    const struct rtg_load_worker *failed;
};

static struct total add_up(const struct rtg_load_worker *first, uint32_t count)
{
    struct total total = {.workers = count};
    for (uint32_t i = 0; i < count; i++) {
        total.done += atomic_load(&first[i].done) - first[i].done_before;
        total.turn += first[i].turn;
        if (atomic_load(&first[i].error) != RTG_OK)
            total.failed = &first[i];
    }
    return total;
}

/* amount * 10^9 / ns without overflow for what a second can hold. */
static uint64_t per_second(uint64_t amount, uint64_t ns)
{
    uint64_t us = ns / 1000;
    return us == 0 ? 0 : amount / us * 1000000u + amount % us * 1000000u / us;
}

/* Whether the test ended before so many turns of the load that its degree must show. */
static bool too_short(const struct rtg_load *load, const struct total *total, uint64_t ns)
{
    return per_second(2 * total->turn, ns) > load->wanted * total->workers && load->wanted != 0;
}

static bool is_reached(const struct rtg_load *load, const struct total *total, uint64_t ns)
{
    uint64_t wanted = load->wanted * total->workers;
    if (total->done == 0 || total->failed != NULL || too_short(load, total, ns))
        return false;
    return per_second(total->done + total->turn, ns) >= wanted * ENOUGH_PERCENT / 100;
}

static const char *note_on(struct rtg_core *core, const struct rtg_load *load,
                           const struct total *total, uint64_t ns)
{
    static char note[160];
    if (total->failed != NULL) {
        note[0] = 0;
        rtg_append(note, sizeof note, "it ended while ");
        rtg_append(note, sizeof note, atomic_load(&total->failed->failed_at));
        rtg_append(note, sizeof note, ": ");
        rtg_append(note, sizeof note, rtg_error_text(atomic_load(&total->failed->error)));
        return note;
    }
    if (is_reached(load, total, ns))
        return NULL;
    if (too_short(load, total, ns))
        return "the test was too short to tell";
    if (core->request.load_cpus == RTG_LOAD_BESIDE && !(load->where & RTG_LOAD_OTHER_CPUS))
        return "the test's threads go before it on this CPU, and others share it";
    return "others shared its CPU, or what it waits for was slow";
}

static const char *arguments(const struct rtg_load_worker *first, uint32_t count)
{
    static char text[80];
    text[0] = 0;
    rtg_append_number(text, sizeof text, count);
    rtg_append(text, sizeof text, first->is_process ? " process" : " thread");
    rtg_append(text, sizeof text, count == 1 ? "" : first->is_process ? "es" : "s");
    if (first->cpu < 0) {
        rtg_append(text, sizeof text, " on any CPU");
    } else {
        rtg_append(text, sizeof text, " on CPU ");
        rtg_append_number(text, sizeof text, (uint64_t)first->cpu);
    }
    if (count > 1 && first->cpu >= 0) {
        rtg_append(text, sizeof text, " to ");
        rtg_append_number(text, sizeof text, (uint64_t)first[count - 1].cpu);
    }
    return text;
}

static void put_load(struct rtg_core *core, const struct rtg_load_worker *first, uint32_t count,
                     uint64_t ns)
{
    struct rtg_out *out = &core->out;
    const struct rtg_load *load = first->load;
    struct total total = add_up(first, count);
    rtg_record_begin(out, 11);
    text_pair(out, "r", "load");
    text_pair(out, "name", load->name);
    text_pair(out, "implementation", "engine");
    text_pair(out, "version", RTG_ENGINE_VERSION);
    text_pair(out, "args", arguments(first, count));
    text_pair(out, "unit", load->unit);
    uint_pair(out, "wanted", load->wanted * count);
    uint_pair(out, "achieved", per_second(total.done, ns));
    uint_pair(out, "exposure_ns", ns);
    rtg_put_text(out, "reached");
    rtg_put_bool(out, is_reached(load, &total, ns));
    text_pair(out, "note", note_on(core, load, &total, ns));
    rtg_record_end(out);
}

void rtg_put_loads(struct rtg_core *core)
{
    struct rtg_load_set *loads = &core->loads;
    uint64_t ns = rtg_os_now() - loads->since_ns;
    if (!loads->marked)
        return;
    loads->marked = false;
    for (uint32_t from = 0, to; from < loads->count; from = to) {
        for (to = from + 1; to < loads->count; to++) {
            if (loads->worker[to].load != loads->worker[from].load)
                break;
        }
        put_load(core, &loads->worker[from], to - from, ns);
    }
}
