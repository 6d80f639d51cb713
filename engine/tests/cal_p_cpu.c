/* CAL-P-CPU: what the caches are worth.
 *
 * Each of the three parts does the same work twice: once over a stretch that no
 * cache can hold, once over one that the first-level cache holds, as often as
 * makes the counts equal. Both are timed in every run, for the ratio; `result`
 * says which of them are the samples. */
#include "common/ticks.h"

enum {
    SMALL = 8192, /* bytes that fit every first-level cache */
    STRIDE = 64,  /* bytes from one access to the next: one for each usual cache line */
    PARTS = 3
};
enum { CODE, READ, WRITE };

struct lab {
    struct rtg_run *run;
    const struct rtg_clock *clock;
    bool cached, first, repeated; /* parameters `result` and `run` */
    uint8_t *array;
    size_t array_size;
    void (*large)(void), (*small)(void);
    uint64_t large_count, small_count; /* instructions of the blocks */
    size_t large_size;
    uint64_t ticks[PARTS][2]; /* sums: over the large stretch, over the small one */
    uint32_t timed[PARTS];
};

typedef void (*pass_fn)(const struct lab *lab);

static void run_large(const struct lab *lab)
{
    lab->large();
}

static void run_small(const struct lab *lab)
{
    for (uint64_t left = (lab->large_count + lab->small_count / 2) / lab->small_count; left > 0;
         left--)
        lab->small();
}

static void read_over(const uint8_t *array, size_t size, size_t rounds)
{
    for (; rounds > 0; rounds--) {
        for (size_t i = 0; i < size; i += STRIDE)
            (void)*(const volatile size_t *)(const void *)(array + i);
    }
}

static void write_over(uint8_t *array, size_t size, size_t rounds)
{
    for (; rounds > 0; rounds--) {
        for (size_t i = 0; i < size; i += STRIDE)
            *(volatile size_t *)(void *)(array + i) = i;
    }
}

static void read_large(const struct lab *lab)
{
    read_over(lab->array, lab->array_size, 1);
}

static void read_small(const struct lab *lab)
{
    read_over(lab->array, SMALL, lab->array_size / SMALL);
}

static void write_large(const struct lab *lab)
{
    write_over(lab->array, lab->array_size, 1);
}

static void write_small(const struct lab *lab)
{
    write_over(lab->array, SMALL, lab->array_size / SMALL);
}

/* ---- one run --------------------------------------------------------------- */

static void time_pass(struct lab *lab, unsigned part, bool small, pass_fn pass)
{
    if (lab->repeated)
        pass(lab);
    else
        write_large(lab); /* nothing is left in a cache, not even of code that was just made */
    rtg_stamp_t start = rtg_stamp_start();
    pass(lab);
    rtg_stamp_t stop = rtg_stamp_stop();
    if (small == lab->cached)
        rtg_record(lab->run, part, start, stop, 0);
    lab->ticks[part][small] += ticks_between(lab->clock, start, stop);
}

static void time_part(struct lab *lab, unsigned part, pass_fn large, pass_fn small)
{
    time_pass(lab, part, false, large);
    time_pass(lab, part, true, small);
    lab->timed[part]++;
}

static void forget_code(struct lab *lab)
{
    if (lab->large != NULL)
        rtg_code_free(lab->large);
    if (lab->small != NULL)
        rtg_code_free(lab->small);
    lab->large = lab->small = NULL;
}

static int make_code(struct lab *lab)
{
    int error = rtg_code_make(lab->large_size, &lab->large, &lab->large_count);
    if (error == RTG_OK)
        error = rtg_code_make(SMALL, &lab->small, &lab->small_count);
    if (error != RTG_OK)
        forget_code(lab);
    return error;
}

/* Returns the error of making the code, which leaves the other parts standing. */
static int measure(struct lab *lab)
{
    int error = make_code(lab);
    while (rtg_next(lab->run)) {
        if (lab->first && lab->timed[CODE] > 0 && error == RTG_OK) {
            forget_code(lab); /* each first run is of code that never ran before */
            error = make_code(lab);
        }
        if (error == RTG_OK)
            time_part(lab, CODE, run_large, run_small);
        if (lab->first)
            continue;
        time_part(lab, READ, read_large, read_small);
        time_part(lab, WRITE, write_large, write_small);
    }
    return error;
}

/* ---- evidence -------------------------------------------------------------- */

/* Time over the large stretch by time over the small one, in thousandths, for the
 * same amount of work. */
static uint64_t effect(const struct lab *lab, unsigned part)
{
    uint64_t large = lab->ticks[part][0] / lab->timed[part];
    uint64_t small = lab->ticks[part][1] / lab->timed[part];
    if (part == CODE) { /* the counts differ by up to half a small block */
        uint64_t times = (lab->large_count + lab->small_count / 2) / lab->small_count;
        small = small * lab->large_count / (times * lab->small_count);
    }
    return small == 0 ? 0 : (large * 1000 + small / 2) / small;
}

static void tell(struct lab *lab)
{
    static const char *const names[PARTS] = {"cache_effect_code", "cache_effect_read",
                                             "cache_effect_write"};
    uint64_t sum = 0;
    unsigned parts = 0;
    for (unsigned part = 0; part < PARTS; part++) {
        if (lab->timed[part] == 0)
            continue;
        uint64_t ratio = effect(lab, part);
        rtg_evidence(lab->run, names[part], (int64_t)ratio, "1/1000");
        sum += ratio;
        parts++;
    }
    if (parts == PARTS)
        rtg_evidence(lab->run, "cache_effect_average", (int64_t)(sum / parts), "1/1000");
    if (lab->timed[CODE] > 0) {
        rtg_evidence(lab->run, "code_bytes", (int64_t)lab->large_size, "B");
        rtg_evidence(lab->run, "code_instructions", (int64_t)lab->large_count, "");
    }
    rtg_evidence(lab->run, "array_bytes", (int64_t)lab->array_size, "B");
    rtg_evidence(lab->run, "array_accesses", (int64_t)(lab->array_size / STRIDE), "");
    rtg_evidence(lab->run, "small_bytes", SMALL, "B");
}

static enum rtg_outcome run(struct rtg_run *run)
{
    uint64_t private_size = 0, largest = rtg_cache_bytes(&private_size);
    struct lab lab = {.run = run,
                      .clock = stamp_clock(run),
                      .cached = rtg_is(run, "result", "cached"),
                      .first = rtg_is(run, "run", "first"),
                      .repeated = rtg_is(run, "run", "repeated"),
                      .large_size = (size_t)(private_size != 0 ? private_size : largest) * 2,
                      .array_size = (size_t)largest * 2};
    struct rtg_thread_state before;
    lab.array = rtg_scratch(run, &lab.array_size);
    lab.array_size -= lab.array_size % SMALL;
    if (lab.array == NULL || lab.array_size <= largest)
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          "there is no memory for an array larger than the last cache");
    rtg_watch_begin(run, &before);
    int error = measure(&lab);
    rtg_watch_end(run, &before);
    tell(&lab);
    if (error == RTG_ENOSUP)
        rtg_unchecked(run, "code", "this system does not let code be made at run time");
    else if (error != RTG_OK)
        rtg_unchecked(run, "code", "the block of code could not be made");
    if (lab.first)
        rtg_unchecked(run, "data",
                      "the memory of a test is touched before the test begins: the "
                      "first access ever to its data cannot be seen");
    forget_code(&lab);
    return RTG_DONE;
}

RTG_TEST(.id = "CAL-P-CPU", .title = "processor and cache effect",
         .question = "How much slower is this processor when code and data are not in its caches?",
         .needs = RTG_NEEDS_CACHES, .samples = {10, 10, 100}, .about_ns = 50000000, .about_ms = 50,
         .params = {{"result", RTG_CHOICE, "no-cache cached", "no-cache cached",
                     "no-cache: over more than the caches hold; cached: the same work over 8 KB"},
                    {"run", RTG_CHOICE, "first evicted repeated", "first evicted repeated",
                     "first: it never ran before; evicted: it ran, then left the caches; repeated: "
                     "it just ran"}},
         .series =
             {{"code", "ns", "before the call of the block", "after its return",
               "the only thread, at the level TOP where levels are allowed", "", RTG_BY_STAMP, ""},
              {"read", "ns", "before the first access of a pass", "after the last",
               "the only thread, at the level TOP where levels are allowed", "", RTG_BY_STAMP, ""},
              {"write", "ns", "before the first access of a pass", "after the last",
               "the only thread, at the level TOP where levels are allowed", "", RTG_BY_STAMP, ""}},
         .run = run);
