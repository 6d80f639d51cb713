/* Figures of a test under way. Samples are read while others are being stored behind
 * them: only those that were there at the look before are taken, so what a processor
 * makes visible late is not missed. */
#include <string.h>

#include "core.h"

enum { LOOK_NS = 200000000 };

static struct rtg_core *held_by; /* for the trace's hooks, which know no core */

void rtg_live_hold(struct rtg_core *core)
{
    if (core->live.on)
        rtg_mutex_lock(&core->room);
}

void rtg_live_let_go(struct rtg_core *core)
{
    if (core->live.on)
        rtg_mutex_unlock(&core->room);
}

static void hold_trace(void)
{
    rtg_mutex_lock(&held_by->room);
}

static void let_go_of_trace(void)
{
    rtg_mutex_unlock(&held_by->room);
}

/* ---- figures -------------------------------------------------------------- */

static uint32_t bin_of(int64_t value)
{
    uint32_t log2 = 0;
    if (value <= 0)
        return 0;
    while ((uint64_t)value >> log2 > 1)
        log2++;
    uint64_t quarter = log2 >= 2 ? (uint64_t)value >> (log2 - 2) : (uint64_t)value << (2 - log2);
    return 1 + 4 * log2 + (uint32_t)(quarter & 3);
}

static void take(struct rtg_core *core, struct rtg_live_line *line, uint32_t upto)
{
    const struct rtg_buffer *b = line->buffer;
    for (; line->seen < upto; line->seen++) {
        uint32_t i = line->seen;
        int64_t value = rtg_value_of(core, line->series, line->by, b->start[i], b->stop[i]);
        if (line->n == 0 || value < line->min)
            line->min = value;
        if (line->n == 0 || value > line->max)
            line->max = value;
        line->n++;
        line->sum += value;
        line->last = value;
        line->aux = b->aux[i];
        core->live.bin[line->series][bin_of(value)]++;
    }
}

void rtg_live_take(struct rtg_core *core, const struct rtg_buffer *b)
{
    for (uint32_t i = 0; core->live.on && i < RTG_LIVE_LINES; i++) {
        struct rtg_live_line *line = &core->live.line[i];
        if (line->buffer == NULL || line->buffer->start != b->start)
            continue;
        take(core, line, b->count);
        line->seen = 0;
        line->upto = 0;
        return;
    }
}

static void look(struct rtg_core *core)
{
    for (uint32_t i = 0; i < RTG_LIVE_LINES; i++) {
        struct rtg_live_line *line = &core->live.line[i];
        if (line->buffer == NULL)
            continue;
        uint32_t count = *(const volatile uint32_t *)&line->buffer->count;
        take(core, line, line->upto < count ? line->upto : count);
        line->upto = count;
    }
}

/* ---- records --------------------------------------------------------------- */

static void put_column(struct rtg_out *out, const char *key, const int64_t *values, uint32_t n)
{
    rtg_put_text(out, key);
    rtg_put_typed(out, values, n, sizeof *values);
}

static void put_lines(struct rtg_core *core, uint32_t series)
{
    static int64_t column[5][RTG_LIVE_LINES];
    static const char *const keys[] = {"n", "min", "max", "sum", "last"};
    uint16_t aux[RTG_LIVE_LINES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < RTG_LIVE_LINES; i++) {
        const struct rtg_live_line *line = &core->live.line[i];
        if (line->series != series || line->n == 0)
            continue;
        column[0][n] = (int64_t)line->n;
        column[1][n] = line->min;
        column[2][n] = line->max;
        column[3][n] = line->sum;
        column[4][n] = line->last;
        aux[n++] = line->aux;
    }
    for (uint32_t k = 0; k < 5; k++)
        put_column(&core->out, keys[k], column[k], n);
    rtg_put_text(&core->out, "aux");
    rtg_put_typed(&core->out, aux, n, sizeof *aux);
}

static void put_bins(struct rtg_core *core, uint32_t series)
{
    uint16_t bin[RTG_LIVE_BINS];
    uint32_t count[RTG_LIVE_BINS], n = 0;
    for (uint32_t i = 0; i < RTG_LIVE_BINS; i++) {
        if (core->live.bin[series][i] == 0)
            continue;
        bin[n] = (uint16_t)i;
        count[n++] = core->live.bin[series][i];
    }
    rtg_put_text(&core->out, "bins");
    rtg_put_typed(&core->out, bin, n, sizeof *bin);
    rtg_put_text(&core->out, "counts");
    rtg_put_typed(&core->out, count, n, sizeof *count);
}

static void tell(struct rtg_core *core)
{
    for (uint32_t i = 0; i < core->series; i++) {
        uint64_t n = 0;
        for (uint32_t k = 0; k < RTG_LIVE_LINES; k++)
            n += core->live.line[k].series == i ? core->live.line[k].n : 0;
        if (n == core->live.told[i])
            continue;
        core->live.told[i] = n;
        rtg_record_begin(&core->out, 10);
        core->out.unnumbered = true;
        rtg_put_text(&core->out, "r");
        rtg_put_text(&core->out, "live");
        rtg_put_text(&core->out, "series");
        rtg_put_uint(&core->out, i);
        put_lines(core, i);
        put_bins(core, i);
        rtg_record_end(&core->out);
        core->out.unnumbered = false;
    }
}

/* ---- the thread ------------------------------------------------------------- */

static void watch(void *arg)
{
    struct rtg_core *core = arg;
    while (rtg_sem_acquire_until(&core->live.end, rtg_os_now() + LOOK_NS) != RTG_OK) {
        if (atomic_load(&core->live.over))
            return;
        rtg_live_hold(core);
        look(core);
        tell(core);
        rtg_live_let_go(core);
    }
}

static int32_t other_cpu(const struct rtg_core *core)
{
    int32_t test = core->request.limits.cpu;
    return (int32_t)rtg_cpu_at(0) != test || rtg_cpu_count() < 2 ? (int32_t)rtg_cpu_at(0)
                                                                 : (int32_t)rtg_cpu_at(1);
}

static void end(struct rtg_core *core)
{
    core->out.hold = NULL;
    core->out.let_go = NULL;
    core->live.on = false;
    rtg_sem_destroy(&core->live.end);
}

void rtg_live_begin(struct rtg_core *core)
{
    struct rtg_live *live = &core->live;
    struct rtg_thread_spec spec = {
        .entry = watch, .arg = core, .policy = RTG_NORMAL, .cpu = other_cpu(core)};
    if (!core->request.live || core->series == 0)
        return;
    rtg_make_room_mutex(core);
    if (!core->has_room || rtg_sem_create(&live->end, RTG_COUNTING, RTG_UNNAMED, 0) != RTG_OK)
        return;
    memset(live->line, 0, sizeof live->line);
    memset(live->bin, 0, sizeof live->bin);
    memset(live->told, 0, sizeof live->told);
    for (uint32_t i = 0; i < core->series; i++)
        live->line[i] = (struct rtg_live_line){
            .buffer = &core->run.series[i], .series = i, .by = rtg_ruler_of(core, i)};
    atomic_store(&live->over, false);
    held_by = core;
    core->out.hold = hold_trace;
    core->out.let_go = let_go_of_trace;
    live->on = true;
    if (rtg_thread_create(&live->thread, &spec) != RTG_OK)
        end(core);
}

void rtg_live_end(struct rtg_core *core)
{
    struct rtg_live *live = &core->live;
    if (!live->on)
        return;
    atomic_store(&live->over, true);
    rtg_sem_release(&live->end);
    rtg_thread_join(&live->thread);
    end(core);
}

void rtg_show_part(struct rtg_run *run, unsigned series, const struct rtg_buffer *part)
{
    struct rtg_core *core = rtg_core_of(run);
    if (!core->live.on)
        return;
    rtg_mutex_lock(&core->room);
    uint32_t at = core->series;
    core->live.line[series].buffer = NULL; /* its parts are looked into instead */
    while (at < RTG_LIVE_LINES &&
           (core->live.line[at].buffer != NULL || core->live.line[at].n != 0))
        at++;
    if (at < RTG_LIVE_LINES)
        core->live.line[at] = (struct rtg_live_line){
            .buffer = part, .series = series, .by = rtg_ruler_of(core, series)};
    rtg_mutex_unlock(&core->room);
}

void rtg_hide_part(struct rtg_run *run, const struct rtg_buffer *part)
{
    struct rtg_core *core = rtg_core_of(run);
    if (!core->live.on)
        return;
    rtg_mutex_lock(&core->room);
    for (uint32_t i = core->series; i < RTG_LIVE_LINES; i++) {
        struct rtg_live_line *line = &core->live.line[i];
        if (line->buffer != part)
            continue;
        take(core, line, part->count);
        line->buffer = NULL;
    }
    rtg_mutex_unlock(&core->room);
}
