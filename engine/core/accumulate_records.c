/* What was accumulated, as records: a head, the largest samples, and as many parts as the
 * bins and the values beyond them need. */
#include <string.h>

#include "core.h"

enum { PART_OVERHEAD = 160 }; /* keys and heads of a part */

static uint32_t part_items(size_t bytes_of_item)
{
    return (uint32_t)((RTG_FRAME_MAX - PART_OVERHEAD) / bytes_of_item);
}

static uint32_t used_bins(const struct rtg_core *core, const struct rtg_pile *pile)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < core->accumulate.bins; i++)
        used += pile->bin[i] != 0;
    return used;
}

static uint32_t parts_of(uint32_t items, uint32_t most)
{
    return (items + most - 1) / most;
}

static uint32_t parts_of_pile(const struct rtg_core *core, const struct rtg_pile *pile)
{
    if (pile->bin == NULL)
        return 0;
    return parts_of(used_bins(core, pile), part_items(2 * sizeof(uint32_t))) +
           parts_of(pile->kept, part_items(sizeof(int64_t)));
}

static void put_number(struct rtg_out *out, const char *key, uint64_t value)
{
    rtg_put_text(out, key);
    rtg_put_uint(out, value);
}

static void put_signed(struct rtg_out *out, const char *key, int64_t value)
{
    rtg_put_text(out, key);
    rtg_put_int(out, value);
}

static void begin(struct rtg_core *core, uint32_t series, uint32_t part, uint32_t pairs)
{
    rtg_record_begin(&core->out, pairs + 4);
    rtg_put_text(&core->out, "r");
    rtg_put_text(&core->out, "accumulated");
    put_number(&core->out, "series", series);
    put_number(&core->out, "checkpoint", core->accumulate.checkpoint);
    put_number(&core->out, "part", part);
}

static void put_pile(struct rtg_out *out, const char *key, const struct rtg_pile *pile)
{
    rtg_put_text(out, key);
    rtg_put_map(out, 7);
    put_number(out, "count", pile->count);
    put_signed(out, "min", pile->min);
    put_signed(out, "max", pile->max);
    put_signed(out, "sum_high", pile->sum_high);
    put_number(out, "sum_low", pile->sum_low);
    put_number(out, "dropped_below", pile->dropped_below);
    put_number(out, "dropped_beyond", pile->dropped_beyond);
}

static void put_head(struct rtg_core *core, uint32_t series, uint32_t parts)
{
    struct rtg_out *out = &core->out;
    const struct rtg_accumulator *one = &core->accumulate.of[series];
    bool periodic = one->interval != 0;
    begin(core, series, 0, periodic ? 17 : 14);
    put_number(out, "parts", parts);
    put_number(out, "at", rtg_os_now());
    put_number(out, "first", one->first);
    put_number(out, "first_start", one->first_start);
    rtg_put_text(out, "after_pause");
    rtg_put_bool(out, one->after_pause);
    put_number(out, "bins", core->accumulate.bins);
    put_number(out, "width", (uint64_t)1 << one->shift);
    put_number(out, "beyond", core->accumulate.beyond);
    put_signed(out, "lowest", one->lowest);
    put_signed(out, "highest", one->highest);
    put_number(out, "pauses", one->pauses);
    put_number(out, "paused", one->paused);
    put_number(out, "dropped", core->run.series[series].dropped);
    put_pile(out, "measured", &one->measured);
    if (periodic) {
        put_number(out, "overruns", one->overruns);
        put_number(out, "odd", one->odd);
        put_pile(out, "entered", &one->entered);
    }
    rtg_record_end(out);
}

/* The smallest stands behind the largest. */
static void put_extremes(struct rtg_core *core, uint32_t series, uint32_t part)
{
    struct rtg_out *out = &core->out;
    const struct rtg_accumulator *one = &core->accumulate.of[series];
    int64_t value[RTG_EXTREMES + 1], since[RTG_EXTREMES + 1];
    uint64_t index[RTG_EXTREMES + 1];
    rtg_stamp_t start[RTG_EXTREMES + 1];
    uint16_t aux[RTG_EXTREMES + 1];
    uint32_t n = one->tops + 1;
    for (uint32_t i = 0; i < n; i++) {
        const struct rtg_extreme *from = i < one->tops ? &one->top[i] : &one->least;
        value[i] = from->value;
        since[i] = from->since;
        index[i] = from->index;
        start[i] = from->start;
        aux[i] = from->aux;
    }
    begin(core, series, part, 6);
    rtg_put_text(out, "of");
    rtg_put_text(out, "extremes");
    rtg_put_text(out, "values");
    rtg_put_typed(out, value, n, sizeof *value);
    rtg_put_text(out, "since");
    rtg_put_typed(out, since, n, sizeof *since);
    rtg_put_text(out, "index");
    rtg_put_typed(out, index, n, sizeof *index);
    rtg_put_text(out, "start");
    rtg_put_typed(out, start, n, sizeof *start);
    rtg_put_text(out, "aux");
    rtg_put_typed(out, aux, n, sizeof *aux);
    rtg_record_end(out);
}

/* In as few bytes as the largest of them needs; the array is used up. */
static void put_narrow(struct rtg_out *out, const char *key, uint32_t *values, uint32_t n)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++)
        most = values[i] > most ? values[i] : most;
    unsigned width = most <= UINT8_MAX ? 1 : most <= UINT16_MAX ? 2 : 4;
    uint8_t *to = (uint8_t *)values;
    for (uint32_t i = 0; i < n && width < 4; i++) {
        uint32_t value = values[i]; /* read before its bytes are written over */
        uint8_t byte = (uint8_t)value;
        uint16_t word = (uint16_t)value;
        memcpy(to + (size_t)i * width, width == 1 ? (void *)&byte : (void *)&word, width);
    }
    rtg_put_text(out, key);
    rtg_put_typed(out, values, n, width);
}

/* Each bin by its distance from the one before. */
static void put_some_bins(struct rtg_core *core, uint32_t series, uint32_t part, const char *name,
                          uint32_t n)
{
    struct rtg_out *out = &core->out;
    uint32_t *bin = (uint32_t *)(void *)core->accumulate.gather;
    uint32_t first = bin[0];
    for (uint32_t i = n - 1; i > 0; i--)
        bin[i] -= bin[i - 1];
    bin[0] = 0;
    begin(core, series, part, 4);
    rtg_put_text(out, "of");
    rtg_put_text(out, name);
    put_number(out, "from", first);
    put_narrow(out, "steps", bin, n);
    put_narrow(out, "counts", bin + part_items(2 * sizeof *bin), n);
    rtg_record_end(out);
}

static uint32_t put_bins(struct rtg_core *core, uint32_t series, uint32_t part, const char *name,
                         const struct rtg_pile *pile)
{
    uint32_t most = part_items(2 * sizeof(uint32_t)), n = 0;
    uint32_t *bin = (uint32_t *)(void *)core->accumulate.gather, *count = bin + most;
    for (uint32_t i = 0; i < core->accumulate.bins; i++) {
        if (pile->bin[i] == 0)
            continue;
        bin[n] = i;
        count[n++] = pile->bin[i];
        if (n == most) {
            put_some_bins(core, series, part++, name, n);
            n = 0;
        }
    }
    if (n != 0)
        put_some_bins(core, series, part++, name, n);
    return part;
}

static uint32_t put_values(struct rtg_core *core, uint32_t series, uint32_t part, const char *name,
                           const struct rtg_pile *pile)
{
    struct rtg_out *out = &core->out;
    uint32_t most = part_items(sizeof(int64_t));
    for (uint32_t from = 0; from < pile->kept; from += most) {
        uint32_t n = pile->kept - from < most ? pile->kept - from : most;
        begin(core, series, part++, 2);
        rtg_put_text(out, "of");
        rtg_put_text(out, name);
        rtg_put_text(out, "values");
        rtg_put_typed(out, pile->value + from, n, sizeof(int64_t));
        rtg_record_end(out);
    }
    return part;
}

static void put_series(struct rtg_core *core, uint32_t series)
{
    const struct rtg_accumulator *one = &core->accumulate.of[series];
    put_head(core, series,
             2 + parts_of_pile(core, &one->measured) + parts_of_pile(core, &one->entered));
    put_extremes(core, series, 1);
    uint32_t part = put_bins(core, series, 2, "measured", &one->measured);
    part = put_values(core, series, part, "measured", &one->measured);
    if (one->interval == 0)
        return;
    part = put_bins(core, series, part, "entered", &one->entered);
    put_values(core, series, part, "entered", &one->entered);
}

void rtg_checkpoint(struct rtg_core *core)
{
    if (!core->accumulate.on)
        return;
    for (uint32_t i = 0; i < core->series; i++) {
        if (core->accumulate.of[i].measured.count != 0)
            put_series(core, i);
    }
    core->accumulate.checkpoint++;
    core->accumulate.due_ns = rtg_os_now() + RTG_CHECKPOINT_NS;
}
