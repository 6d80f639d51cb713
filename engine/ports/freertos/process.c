/* The engine's task: its start and end, its input and output, the watchdog. */
#include "freertos.h"

struct rtg_limits freertos_limits = {.max_level = UINT32_MAX};
volatile uint32_t rtg_freertos_voluntary;

/* ---- the tick's hook, and what ends the image ------------------------------------

 * Times at which the image ends, ns of rtg_board_now; NEVER. Ticks are counted down to the first
 * of them, but the clock decides: ticks that something masks, or that the kernel steps over, call
 * no hook. Threads write with interrupts masked, the hook reads. */
#define NEVER UINT64_MAX
static uint64_t watchdog_at = NEVER, limit_at = NEVER, clock_end = NEVER;

/* The clock has to be looked at before it wraps. */
enum { CLOCK_LEFT_NS = 1000000000 };

volatile uint32_t rtg_freertos_ticks_left = 1;

/* A kernel that steps over ticks leaves none to count. */
static uint32_t ticks_to_the_first_end(void)
{
    uint64_t now = rtg_board_now(), at = watchdog_at < limit_at ? watchdog_at : limit_at;
    at = clock_end < at ? clock_end : at;
    uint64_t ticks = configUSE_TICKLESS_IDLE || at <= now ? 1 : (at - now) / FREERTOS_TICK_NS + 1;
    return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

/* In the tick's interrupt, above every level. */
void rtg_freertos_tick_due(void)
{
    uint64_t now = rtg_board_now();
    bool more = freertos_time_tick(now);
    more = freertos_irq_tick() || more;
    if (now >= clock_end)
        rtg_board_fail("the board's clock is at its end", "start the board anew");
    if (now >= watchdog_at || now >= limit_at)
        rtg_board_exit(RTG_EXIT_WATCHDOG);
    rtg_freertos_ticks_left = more ? 1 : ticks_to_the_first_end();
}

/* `ns` from now; 0: never. A tick that something is due at counts anew by itself. */
static void end_after(uint64_t *at, uint64_t ns)
{
    uint64_t now = rtg_board_now();
    taskENTER_CRITICAL();
    *at = ns != 0 && ns < NEVER - now ? now + ns : NEVER;
    if (rtg_freertos_ticks_left > 1)
        rtg_freertos_ticks_left = ticks_to_the_first_end();
    taskEXIT_CRITICAL();
}

void rtg_watchdog(uint64_t ns)
{
    end_after(&watchdog_at, ns);
}

/* ---- what the hook takes --------------------------------------------------------- */

enum { ROUNDS = 32, CALLS = 8 };
static uint64_t hook_ns;

/* As compiled into the kernel's hook. */
static void hook(void)
{
    rtg_freertos_tick();
}

/* ns that reading the clock twice takes with eight calls in between more than without, summed up
 * over all rounds, since a clock may be coarse. What the calls count down is put back. */
static uint64_t measure_hook(void)
{
    void (*volatile unknown)(void) = hook; /* else the compiler would merge the calls */
    void (*call)(void) = unknown;
    uint64_t with = 0, without = 0;
    for (int i = 0; i < ROUNDS; i++) {
        taskENTER_CRITICAL();
        uint32_t left = rtg_freertos_ticks_left;
        if (left > 1)
            rtg_freertos_ticks_left = UINT32_MAX;
        uint64_t first = rtg_board_now(), second = rtg_board_now();
        call(), call(), call(), call(), call(), call(), call(), call();
        uint64_t third = rtg_board_now();
        if (left > 1)
            rtg_freertos_ticks_left = left;
        taskEXIT_CRITICAL();
        without += second - first;
        with += third - second;
    }
    return with > without ? (with - without) / (ROUNDS * CALLS) : 0;
}

uint64_t freertos_tick_hook_ns(void)
{
    return hook_ns;
}

/* ---- start, end, input and output -------------------------------------------------- */

int rtg_port_init(const struct rtg_limits *limits)
{
    if (limits->cpu < -1 || limits->cpu > 0)
        return RTG_EINVAL;
    freertos_limits = *limits;
    taskENTER_CRITICAL();
    clock_end = rtg_board_now_limit() - CLOCK_LEFT_NS;
    taskEXIT_CRITICAL();
    end_after(&limit_at, limits->time_ns);
    vTaskDelay(FREERTOS_GRID_TICKS + 2);
    hook_ns = measure_hook();
    freertos_ticks_lost();
    return RTG_OK;
}

void rtg_port_exit(int status)
{
    rtg_board_exit(status);
}

long rtg_port_read(void *to, size_t size)
{
    return rtg_board_read(to, size);
}

int rtg_port_write(const void *from, size_t size)
{
    return rtg_board_write(from, size);
}

bool rtg_stop_asked(void)
{
    return rtg_board_stop_asked();
}

uint32_t rtg_virtual_ns(void)
{
    return rtg_board_ns_per_instruction();
}

uint64_t rtg_cache_bytes(uint64_t *private_)
{
    if (private_ != NULL)
        *private_ = 0;
    return 0;
}

/* Tasks and kernel are one program: there is no border that a call could cross. */
int rtg_kernel_entered(void (*op)(void *), void *arg, bool *entered, const char **how)
{
    (void)op;
    (void)arg;
    (void)entered;
    *how = "tasks and kernel are one program here: no call enters anything";
    return RTG_ENOSUP;
}

int rtg_code_make(size_t bytes, void (**block)(void), uint64_t *instructions)
{
    (void)bytes;
    (void)block;
    (void)instructions;
    return RTG_ENOSUP;
}

void rtg_code_free(void (*block)(void))
{
    (void)block;
}
