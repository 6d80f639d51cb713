/* The engine's task: its start and end, its input and output, the watchdog. */
#include "freertos.h"

struct rtg_limits freertos_limits = {.max_level = UINT32_MAX};
volatile uint32_t rtg_freertos_voluntary;

/* Counts of ticks at which the image ends; 0: never. */
static volatile TickType_t watchdog_at, limit_at;

static TickType_t ticks_from_now(uint64_t ns)
{
    uint64_t ticks = ns / FREERTOS_TICK_NS + 1;
    TickType_t at = xTaskGetTickCount() + (ticks < portMAX_DELAY ? (TickType_t)ticks : 0);
    return at != 0 ? at : 1;
}

int rtg_port_init(const struct rtg_limits *limits)
{
    if (limits->cpu < -1 || limits->cpu > 0)
        return RTG_EINVAL;
    freertos_limits = *limits;
    limit_at = limits->time_ns != 0 ? ticks_from_now(limits->time_ns) : 0;
    vTaskDelay(FREERTOS_GRID_TICKS + 2);
    freertos_ticks_lost();
    return RTG_OK;
}

void rtg_port_exit(int status)
{
    rtg_board_exit(status);
}

void rtg_watchdog(uint64_t ns)
{
    watchdog_at = ns != 0 ? ticks_from_now(ns) : 0;
}

/* In the tick's interrupt, above every level. */
void rtg_freertos_tick(void)
{
    TickType_t now = xTaskGetTickCountFromISR();
    if ((watchdog_at != 0 && watchdog_at == now) || (limit_at != 0 && limit_at == now))
        rtg_board_exit(RTG_EXIT_WATCHDOG);
    freertos_time_tick();
    freertos_irq_tick();
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
