/* MEM-B-LEK: whether creating and deleting objects over and over eats up the system.
 *
 * A leak is a usage that rises through every quarter of the run; a single rise (a
 * cache that fills, a table that grows once) is none. */
#include "common/objects.h"

enum {
    OPERATIONS = 20, /* creations and deletions between two samples */
    WARM_UP = 100,
    QUARTERS = 4,
    KEPT_STEPS = 8,
    KEPT_AT_ONCE = 12,
    KEPT_MOST = KEPT_STEPS * KEPT_AT_ONCE,
    SMALL = 16,        /* bytes: the least that an object may lose */
    SMALL_MOST = 32768 /* in a quarter; if so many are seen, so are more */
};
enum { BYTES, HANDLES, OBJECTS, MEASURES };

static const struct kind *kind_under_test(const struct rtg_run *run)
{
    static const struct kind kinds[] = {
        {"thread", make_thread, drop_thread, true},
        {"semaphore", make_semaphore, drop_semaphore, false},
        {"named-semaphore", make_named, drop_semaphore, false},
        {"mutex", make_mutex, drop_mutex, false},
        {"timer", make_timer, drop_timer, false},
    };
    const struct kind *kind = kinds;
    while (kind < kinds + sizeof kinds / sizeof *kinds - 1 && !rtg_is(run, "object", kind->name))
        kind++;
    return kind;
}

/* ---- trend ------------------------------------------------------------------ */

/* The least usage in each quarter: what a passing peak leaves untouched. */
struct trend {
    uint64_t least[QUARTERS][MEASURES];
    bool seen[QUARTERS];
};

static void note_usage(struct trend *trend, uint32_t index, uint32_t of, const uint64_t *value)
{
    uint32_t quarter = (uint32_t)((uint64_t)index * QUARTERS / of);
    for (int i = 0; i < MEASURES; i++) {
        if (!trend->seen[quarter] || value[i] < trend->least[quarter][i])
            trend->least[quarter][i] = value[i];
    }
    trend->seen[quarter] = true;
}

static bool rises(const struct trend *trend, int measure)
{
    for (int q = 1; q < QUARTERS; q++) {
        if (trend->least[q][measure] <= trend->least[q - 1][measure])
            return false;
    }
    return true;
}

static bool look(uint64_t *value)
{
    struct rtg_usage usage;
    bool told = rtg_usage(&usage) == RTG_OK;
    value[BYTES] = told ? usage.bytes : 0;
    value[HANDLES] = told ? usage.handles : 0;
    value[OBJECTS] = told ? usage.objects : 0;
    return told;
}

/* ---- the negative control: a leak on purpose --------------------------------- */

/* Keeps `at_once` more objects at each step; all are deleted in the end. Returns
 * how many were kept, fewer than asked where the system has no more. */
static uint32_t keep(const struct kind *kind, struct object *objects, uint32_t at_once,
                     struct trend *trend)
{
    uint32_t kept = 0;
    bool full = false;
    *trend = (struct trend){.seen = {false}};
    for (uint32_t step = 0; step < KEPT_STEPS && !full; step++) {
        uint64_t value[MEASURES];
        for (uint32_t i = 0; i < at_once && !full; i++) {
            full = kind->make(&objects[kept]) != RTG_OK;
            kept += !full;
        }
        look(value);
        note_usage(trend, step, KEPT_STEPS, value);
    }
    for (uint32_t i = 0; i < kept; i++)
        kind->drop(&objects[i]);
    return kept;
}

static void check_method(struct rtg_run *run, const struct kind *kind, struct object *objects)
{
    struct trend trend;
    uint32_t at_once = KEPT_AT_ONCE;
    uint32_t kept = keep(kind, objects, at_once, &trend);
    if (kept < KEPT_MOST) {
        at_once = 1;
        kept = keep(kind, objects, at_once, &trend);
    }
    bool seen = rises(&trend, BYTES) || rises(&trend, HANDLES) || rises(&trend, OBJECTS);
    rtg_evidence(run, "objects_kept", kept, "");
    if (kept < KEPT_STEPS * at_once)
        rtg_unchecked(run, "kept-unseen", "not enough objects can be kept at the same time");
    else if (seen || kind->countable)
        rtg_check(run, RTG_CONTROL, "kept-unseen", !seen,
                  "the usage does not rise while ever more objects are kept on purpose");
    else
        rtg_unchecked(run, "kept-unseen",
                      "a few objects of this kind occupy nothing that this system counts: only a "
                      "leak of many would be seen");
}

/* ---- the loop ----------------------------------------------------------------- */

static int repeat(const struct kind *kind, struct object *object, uint32_t times)
{
    int error = RTG_OK;
    while (error == RTG_OK && times-- > 0) {
        error = kind->make(object);
        if (error == RTG_OK)
            error = kind->drop(object);
    }
    return error;
}

static int measure(struct rtg_run *run, const struct kind *kind, struct object *object,
                   struct trend *trend, uint32_t *samples)
{
    int error = repeat(kind, object, WARM_UP);
    *samples = 0;
    while (error == RTG_OK && rtg_next(run)) {
        uint64_t value[MEASURES];
        error = repeat(kind, object, OPERATIONS);
        rtg_stamp_t when = rtg_stamp_stop();
        look(value);
        for (unsigned i = 0; i < MEASURES; i++)
            rtg_record(run, i, when, (rtg_stamp_t)value[i], 0);
        note_usage(trend, (*samples)++, rtg_samples(run), value);
    }
    return error;
}

static void check_trend(struct rtg_run *run, const struct trend *trend)
{
    rtg_check(run, RTG_PROPERTY, "leak-bytes", !rises(trend, BYTES),
              "the memory of the process does not rise through every quarter of the run");
    rtg_check(run, RTG_PROPERTY, "leak-handles", !rises(trend, HANDLES),
              "the open handles do not rise through every quarter of the run");
    rtg_check(run, RTG_PROPERTY, "leak-objects", !rises(trend, OBJECTS),
              "the objects that the system counts do not rise through every quarter of the run");
}

/* What a run of this length can see at all, which is a matter of the steps in which the
 * system counts memory: as many small blocks are lost on purpose. At the end, for those that
 * are given back would hide what is lost later. */
static void check_power(struct rtg_run *run)
{
    struct block {
        struct block *next;
    } *last = NULL;
    struct trend trend = {.seen = {false}};
    uint64_t value[MEASURES], each = (uint64_t)rtg_samples(run) * OPERATIONS / QUARTERS;
    bool full = false;
    each = each < SMALL_MOST ? each : SMALL_MOST;
    for (uint32_t quarter = 0; quarter < QUARTERS; quarter++) {
        look(value);
        note_usage(&trend, quarter, QUARTERS, value);
        for (uint64_t i = 0; i < each && !full; i++) {
            void *more;
            full = rtg_heap_get(SMALL, &more) != RTG_OK;
            if (full)
                break;
            ((struct block *)more)->next = last;
            last = more;
        }
    }
    while (last != NULL) {
        struct block *next = last->next;
        rtg_heap_put(last);
        last = next;
    }
    if (full)
        rtg_unchecked(run, "small-leak-seen", "there is not enough memory to lose");
    else
        rtg_check(run, RTG_REPORT, "small-leak-seen", rises(&trend, BYTES),
                  "a run of this length sees a leak of 16 bytes of each object");
}

static enum rtg_outcome run(struct rtg_run *run)
{
    const struct kind *kind = kind_under_test(run);
    struct trend trend = {.seen = {false}};
    size_t needed = KEPT_MOST * sizeof(struct object), bytes = needed;
    struct object *objects = rtg_scratch(run, &bytes);
    uint64_t value[MEASURES];
    uint32_t samples;
    const char *why;
    if (objects == NULL || bytes < needed)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory for the objects");
    if (!look(value))
        return rtg_reason(run, RTG_NOT_SUPPORTED, "this system does not tell what is in use");
    if (rtg_realtime_allowed(&why) == RTG_OK)
        rtg_self_level(run, rtg_role_level(RTG_LO)); /* a new thread runs at once */
    int error = repeat(kind, objects, 1);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating and deleting an object");
    check_method(run, kind, objects);
    error = measure(run, kind, objects, &trend, &samples);
    rtg_evidence(run, "operations", (int64_t)samples * OPERATIONS, "");
    if (error != RTG_OK)
        return rtg_error(run, error, "creating and deleting an object");
    if (trend.seen[QUARTERS - 1])
        check_trend(run, &trend);
    else
        rtg_unchecked(run, "leak-bytes", "the run is too short for a trend");
    check_power(run);
    return RTG_DONE;
}

RTG_TEST(.id = "MEM-B-LEK", .title = "memory leak",
         .question = "Does the system get back everything when objects are created and deleted "
                     "over and over?",
         .needs = RTG_TURN_BY_TURN, .samples = {400, 4000, 400000}, .about_ns = 2000000,
         .about_ms = 100,
         .params = {{"object", RTG_CHOICE, "thread semaphore named-semaphore mutex timer",
                     "thread semaphore named-semaphore mutex timer",
                     "what is created, used and deleted"}},
         .series = {{"bytes", "B", "when the usage is read", "the value: memory of the process",
                     "the only thread", "", RTG_BY_VALUE, "trend"},
                    {"handles", "1", "when the usage is read", "the value: open handles",
                     "the only thread", "", RTG_BY_VALUE, "trend"},
                    {"objects", "1", "when the usage is read", "the value: threads and timers",
                     "the only thread", "", RTG_BY_VALUE, "trend"}},
         .run = run);
