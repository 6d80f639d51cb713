/* MEM-P-ALC: a block of memory is taken, touched for the first time, and given back.
 *
 * fresh       the test holds nothing else, and gives back each block before it takes the next
 * fragmented  the test holds LIVE others of half to twice the size (fewer where that is more
 *             than LIVE_BYTES), left of twice as many of which every other one, by a fixed
 *             random sequence, was given back; before each turn one of them is given back and
 *             another taken, and the measured block is kept for RING turns. */
#include "rtgauge/test.h"

enum { ALLOCATE, FIRST_TOUCH, FREE };
enum { LIVE = 256, LIVE_LEAST = 8, LIVE_BYTES = 8 << 20, RING = 8, PAGE = 4096 };

struct scene {
    struct rtg_run *run;
    struct rtg_pool pool;
    uint32_t size, live, random;
    uint64_t bytes; /* of those held beside the measured ones */
    void *held[2 * LIVE];
    uint32_t held_bytes[2 * LIVE];
    void *ring[RING];
    /* Take or give back one block between two stamps. */
    int (*take)(struct scene *scene, void **block);
    int (*give)(struct scene *scene, void *block);
    /* The same without stamps. */
    int (*get)(struct scene *scene, uint32_t bytes, void **block);
    void (*put)(struct scene *scene, void *block);
};

static int take_heap(struct scene *scene, void **block)
{
    rtg_stamp_t start = rtg_stamp_start();
    int error = rtg_heap_get(scene->size, block);
    rtg_stamp_t stop = rtg_stamp_stop();
    if (error == RTG_OK)
        rtg_record(scene->run, ALLOCATE, start, stop, 0);
    return error;
}

static int give_heap(struct scene *scene, void *block)
{
    rtg_stamp_t start = rtg_stamp_start();
    rtg_heap_put(block);
    rtg_stamp_t stop = rtg_stamp_stop();
    rtg_record(scene->run, FREE, start, stop, 0);
    return RTG_OK;
}

static int get_heap(struct scene *scene, uint32_t bytes, void **block)
{
    (void)scene;
    return rtg_heap_get(bytes, block);
}

static void put_heap(struct scene *scene, void *block)
{
    (void)scene;
    rtg_heap_put(block);
}

static int take_pool(struct scene *scene, void **block)
{
    rtg_stamp_t start = rtg_stamp_start();
    int error = rtg_pool_get(&scene->pool, block);
    rtg_stamp_t stop = rtg_stamp_stop();
    if (error == RTG_OK)
        rtg_record(scene->run, ALLOCATE, start, stop, 0);
    return error;
}

static int give_pool(struct scene *scene, void *block)
{
    rtg_stamp_t start = rtg_stamp_start();
    int error = rtg_pool_put(&scene->pool, block);
    rtg_stamp_t stop = rtg_stamp_stop();
    if (error == RTG_OK)
        rtg_record(scene->run, FREE, start, stop, 0);
    return error;
}

static int get_pool(struct scene *scene, uint32_t bytes, void **block)
{
    (void)bytes;
    return rtg_pool_get(&scene->pool, block);
}

static void put_pool(struct scene *scene, void *block)
{
    rtg_pool_put(&scene->pool, block);
}

/* A fixed sequence, the same on every system. */
static uint32_t next_random(struct scene *scene, uint32_t below)
{
    scene->random = scene->random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(scene->random >> 8) * below) >> 24);
}

/* ---- what the heap holds beside the measured blocks ---------------------------- */

static int hold(struct scene *scene, uint32_t i)
{
    uint32_t half = scene->size / 2;
    uint32_t bytes = half + 1 + next_random(scene, scene->size + half);
    int error = scene->get(scene, bytes, &scene->held[i]);
    scene->held_bytes[i] = error == RTG_OK ? bytes : 0;
    scene->bytes += scene->held_bytes[i];
    return error;
}

static void let_go(struct scene *scene, uint32_t i)
{
    scene->put(scene, scene->held[i]);
    scene->bytes -= scene->held_bytes[i];
    scene->held[i] = NULL;
}

static uint32_t live_wanted(const struct scene *scene)
{
    uint32_t fit = LIVE_BYTES / scene->size;
    return fit < LIVE_LEAST ? LIVE_LEAST : fit < LIVE ? fit : LIVE;
}

/* Leaves `live` blocks at the beginning of `held`. */
static int fragment(struct scene *scene)
{
    uint32_t n = 0;
    int error = RTG_OK;
    scene->live = live_wanted(scene);
    while (n < 2 * scene->live && (error = hold(scene, n)) == RTG_OK)
        n++;
    while (error == RTG_OK && n > scene->live) {
        uint32_t i = next_random(scene, n);
        let_go(scene, i);
        scene->held[i] = scene->held[--n];
        scene->held_bytes[i] = scene->held_bytes[n];
        scene->held[n] = NULL;
    }
    scene->live = n;
    return error;
}

static int churn(struct scene *scene)
{
    uint32_t i = next_random(scene, scene->live);
    let_go(scene, i);
    return hold(scene, i);
}

/* ---- the loop -------------------------------------------------------------------- */

static void touch(struct scene *scene, void *block)
{
    volatile uint8_t *byte = block;
    uint32_t size = scene->size;
    rtg_stamp_t start = rtg_stamp_start();
    for (uint32_t i = 0; i < size; i += PAGE)
        byte[i] = 1;
    rtg_stamp_t stop = rtg_stamp_stop();
    rtg_record(scene->run, FIRST_TOUCH, start, stop, 0);
}

static int measure(struct scene *scene)
{
    struct rtg_run *run = scene->run;
    uint32_t kept = scene->live != 0 ? RING : 1, at = 0;
    int error = RTG_OK;
    for (uint32_t i = 1; error == RTG_OK && i < kept; i++)
        error = scene->get(scene, scene->size, &scene->ring[i]);
    while (error == RTG_OK && rtg_next(run)) {
        rtg_breathe(run);
        if (scene->live != 0) {
            error = churn(scene);
            rtg_dirty(run);
        }
        error = error == RTG_OK ? scene->take(scene, &scene->ring[at]) : error;
        if (error != RTG_OK)
            break;
        rtg_dirty(run);
        touch(scene, scene->ring[at]);
        at = (at + 1) % kept;
        rtg_dirty(run);
        error = scene->give(scene, scene->ring[at]);
        scene->ring[at] = NULL;
    }
    return error;
}

static void give_all(struct scene *scene)
{
    for (uint32_t i = 0; i < RING; i++)
        if (scene->ring[i] != NULL)
            scene->put(scene, scene->ring[i]);
    for (uint32_t i = 0; i < 2 * LIVE; i++)
        if (scene->held[i] != NULL)
            scene->put(scene, scene->held[i]);
}

static void tell_usage(struct rtg_run *run, const char *name)
{
    struct rtg_usage usage;
    if (rtg_usage(&usage) == RTG_OK)
        rtg_evidence(run, name, (int64_t)usage.bytes, "B");
}

static void allocate(void *arg)
{
    struct scene *scene = arg;
    void *block;
    scene->get(scene, scene->size, &block);
}

static int play(struct scene *scene, bool fragmented)
{
    struct rtg_run *run = scene->run;
    struct rtg_thread_state before;
    int error = fragmented ? fragment(scene) : RTG_OK;
    if (error == RTG_OK) {
        rtg_evidence(run, "live_blocks", scene->live, "");
        rtg_evidence(run, "live_bytes", (int64_t)scene->bytes, "B");
        tell_usage(run, "memory_before");
        rtg_watch_begin(run, &before);
        error = measure(scene);
        rtg_watch_end(run, &before);
        tell_usage(run, "memory_after");
        rtg_evidence(run, "live_bytes_after", (int64_t)scene->bytes, "B");
        rtg_evidence_kernel(run, "kernel_entered_allocate", allocate, scene);
    }
    give_all(scene);
    return error;
}

static int play_pool(struct scene *scene, bool fragmented)
{
    int error = rtg_pool_create(&scene->pool, 2 * live_wanted(scene) + RING, scene->size);
    if (error != RTG_OK)
        return error;
    scene->take = take_pool;
    scene->give = give_pool;
    scene->get = get_pool;
    scene->put = put_pool;
    error = play(scene, fragmented);
    int last = rtg_pool_destroy(&scene->pool);
    return error == RTG_OK ? last : error;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    size_t bytes = sizeof(struct scene);
    struct scene *scene = rtg_scratch(run, &bytes);
    bool fragmented = rtg_is(run, "state", "fragmented");
    if (scene == NULL || bytes < sizeof *scene)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory to note the blocks");
    *scene = (struct scene){.run = run,
                            .size = (uint32_t)rtg_number(run, "size"),
                            .random = 1,
                            .take = take_heap,
                            .give = give_heap,
                            .get = get_heap,
                            .put = put_heap};
    bool pool = rtg_is(run, "kind", "pool");
    int error = pool ? play_pool(scene, fragmented) : play(scene, fragmented);
    if (error == RTG_ENOSUP)
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          pool ? "there are no pools of fixed blocks here"
                               : "there is no heap here");
    if (error == RTG_EFULL)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is not so much memory here");
    return error == RTG_OK ? RTG_DONE : rtg_error(run, error, "taking or giving back a block");
}

RTG_TEST(.id = "MEM-P-ALC", .title = "Memory allocation",
         .question = "How long does it take to get a block of memory and to give it back, and "
                     "does that grow when the memory is fragmented?",
         .needs = RTG_TURN_BY_TURN, .samples = {500, 10000, 100000}, .about_ns = 60000,
         .about_ms = 12,
         .params = {{"kind", RTG_CHOICE, "heap pool", "heap pool",
                     "the general allocator, or a pool of fixed blocks"},
                    {"size", RTG_NUMBER, "16 256 4096 65536 1048576", "1..1048576",
                     "bytes of a block"},
                    {"state", RTG_CHOICE, "fresh fragmented", "fresh fragmented",
                     "whether many other blocks of other sizes are out"}},
         .series = {{"allocate", "ns", "before the block is asked for", "after it was got",
                     "the only thread", "", RTG_BY_STAMP, ""},
                    {"first-touch", "ns", "before the first byte of the new block is written",
                     "after one byte in each 4096 was", "the only thread", "", RTG_BY_STAMP, ""},
                    {"free", "ns", "before a block is given back", "after that", "the only thread",
                     "", RTG_BY_STAMP, ""}},
         .run = run_test);
