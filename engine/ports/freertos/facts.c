/* What this system is: the kernel's version and its options as they are in force. */
#include "freertos.h"

static const struct {
    const char *name, *text;
    int64_t number;
} options[] = {
#define NUMBER(name) {"freertos." #name, NULL, (int64_t)(name)},
#define SET(name, value) {"freertos." #name, NULL, value},
#include "freertos_options.h" /* generated from FreeRTOSConfig.h */
};

void rtg_port_facts(rtg_fact_fn fact, void *to)
{
    fact(to, "os", "FreeRTOS", 0);
    fact(to, "release", tskKERNEL_VERSION_NUMBER, 0);
    fact(to, "version", "FreeRTOS Kernel " tskKERNEL_VERSION_NUMBER, 0);
    fact(to, "board", rtg_board_name(), 0);
    fact(to, "cpus", NULL, 1);
    fact(to, "levels", NULL, FREERTOS_LEVELS);
    fact(to, "tick_ns", NULL, (int64_t)FREERTOS_TICK_NS);
    /* of each tick, the engine's own part */
    fact(to, "tick_hook_ns", NULL, (int64_t)freertos_tick_hook_ns());
    fact(to, "due_times", "rounded up to the next clock tick", 0);
    fact(to, "image", RTG_FREERTOS_SLICES ? "rr" : "fifo", 0);
    if (sizeof(UBaseType_t) > sizeof(uint32_t)) /* what rtg_sem_max cannot say */
        fact(to, "semaphore_count", "made for up to 2^64 - 1; tests make them for 2^32 - 1", 0);
    fact(to, "memory_protection", "none: tasks and kernel are one program", 0);
    fact(to, "time", rtg_virtual_ns() != 0 ? "virtual" : "real", 0);
    if (rtg_virtual_ns() != 0)
        fact(to, "ns_per_instruction", NULL, rtg_virtual_ns());
    fact(to, "heap_bytes", NULL, (int64_t)configTOTAL_HEAP_SIZE);
    fact(to, "thread_bytes", NULL, /* of the heap, with the header of each block */
         (int64_t)(RTG_THREAD_STACK + sizeof(StaticTask_t) + 4 * sizeof(void *)));
    fact(to, "most_jobs", NULL, RTG_MAX_JOBS);
    fact(to, "most_request", NULL, RTG_FRAME_MAX);
    rtg_board_facts(fact, to);
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
        fact(to, options[i].name, options[i].text, options[i].number);
}

void rtg_port_counters(rtg_fact_fn fact, void *to)
{
    fact(to, "ticks", NULL, (int64_t)xTaskGetTickCount());
    if (RTG_BOARD_TICK_IS_EXACT) /* else nobody knows how many there should be */
        fact(to, "ticks_lost", NULL, (int64_t)freertos_ticks_lost());
}
