/* Takes bandwidth of the memory away from everybody else: reads and writes one word of
 * each line of more memory than the caches hold. */
#include "rtgauge/load.h"

enum { LINE = 64, PIECE = 1 << 20 };
static const size_t most = (size_t)64 << 20;

struct area {
    volatile uint8_t *memory;
    size_t bytes, at;
};

static int pass(void *arg, uint64_t *units)
{
    struct area *area = arg;
    size_t end = area->bytes - area->at < PIECE ? area->bytes : area->at + PIECE;
    *units = end - area->at;
    for (size_t i = area->at; i < end; i += LINE)
        area->memory[i]++;
    area->at = end == area->bytes ? 0 : end;
    return RTG_OK;
}

static void run(struct rtg_load_worker *worker)
{
    size_t wanted = 2 * (size_t)rtg_cache_bytes(NULL);
    struct area area = {.bytes = wanted < most ? wanted : most};
    area.memory = wanted == 0 ? NULL : rtg_scratch_get(&area.bytes);
    if (area.memory == NULL) {
        rtg_load_failed(worker, wanted == 0 ? RTG_ENOSUP : RTG_EFULL,
                        "preparing memory of twice the size of the caches");
        return;
    }
    rtg_load_endless(worker, pass, &area);
    rtg_scratch_put((void *)area.memory, area.bytes);
}

RTG_LOAD(.what = "memory of twice the largest cache (at most 64 MB) read and written line by line",
         .degree = "continuous, on each CPU beside the one under test", .unit = "bytes",
         .where = RTG_LOAD_EVERY_CPU | RTG_LOAD_OTHER_CPUS, .run = run);
