/* The two CMSDK timers as independent one-shot timers: 32 bits, counting down to an interrupt. */
#include "cmsdk_dual.h"
#include "mps2.h"
#include "rtgauge/board.h"

struct cmsdk_timer {
    volatile uint32_t control, value, reload, interrupt;
};
#define TIMER(index) ((struct cmsdk_timer *)(0x40000000u + 0x1000u * (index)))
enum { TIMER0_IRQ = 8, TIMER_ENABLE = 1, TIMER_INTERRUPT = 8 };

#define NVIC_ENABLE (*(volatile uint32_t *)0xe000e100u)
#define NVIC_CLEAR_PENDING (*(volatile uint32_t *)0xe000e280u)
#define NVIC_PRIORITY(irq) (*(volatile uint8_t *)(0xe000e400u + (irq)))

static const struct rtg_board_timer timers[] = {
    {.name = "timer",
     .device = "CMSDK timer 0",
     .level = 0x80,
     .nests = true,
     .step_ns_num = RTG_MPS2_TICK_NS,
     .step_ns_den = 1,
     .longest_ns = (uint64_t)INT32_MAX * RTG_MPS2_TICK_NS},
    {.name = "timer-2",
     .device = "CMSDK timer 1",
     .level = 0x40,
     .nests = true,
     .step_ns_num = RTG_MPS2_TICK_NS,
     .step_ns_den = 1,
     .longest_ns = (uint64_t)INT32_MAX * RTG_MPS2_TICK_NS},
};

/* Ticks from the stamp that `start` reads until a timer that it sets to 1 is due, less 1. */
static int32_t lag;

uint32_t rtg_board_timers(void)
{
    return sizeof timers / sizeof *timers;
}

const struct rtg_board_timer *rtg_board_timer_at(uint32_t index)
{
    return index < rtg_board_timers() ? &timers[index] : NULL;
}

const char *rtg_board_timer_marks(void)
{
    return "the handler's first load reads the stamp clock";
}

/* Lets timer `index` be due when the stamp clock shows `due`: the same number of instructions
 * lies between the two accesses whatever the arguments are. */
static __attribute__((noinline)) void start(uint32_t index, uint32_t due, int32_t less)
{
    int32_t rest = (int32_t)(rtg_stamp_start() - due) - less;
    TIMER(index)->value = rest > 0 ? (uint32_t)rest : 1;
}

/* How late a timer is that `start` is to set without any allowance. */
static int32_t measure_lag(void)
{
    enum { AHEAD = 20000 };
    uint32_t due = rtg_stamp_start() - AHEAD;
    start(0, due, 0);
    uint32_t now = rtg_stamp_start(), rest = TIMER(0)->value, after = rtg_stamp_start();
    uint32_t middle = now - (now - after) / 2;
    return (int32_t)(due - (middle - rest));
}

static void quiet(uint32_t index)
{
    TIMER(index)->value = 0;
    TIMER(index)->interrupt = 1;
    NVIC_CLEAR_PENDING = 1u << (TIMER0_IRQ + index);
}

void rtg_mps2_timers_init(void)
{
    for (uint32_t i = 0; i < rtg_board_timers(); i++) {
        TIMER(i)->reload = 0;
        TIMER(i)->value = UINT32_MAX;
        TIMER(i)->control = TIMER_ENABLE | TIMER_INTERRUPT;
        NVIC_PRIORITY(TIMER0_IRQ + i) = (uint8_t)timers[i].level;
    }
    lag = measure_lag();
    for (uint32_t i = 0; i < rtg_board_timers(); i++) {
        quiet(i);
        NVIC_ENABLE = 1u << (TIMER0_IRQ + i);
    }
}

/* Interrupts are masked for the moment between stamp and timer. */
static uint32_t mask(void)
{
    uint32_t was;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(was) : : "memory");
    return was;
}

static void unmask(uint32_t was)
{
    __asm__ volatile("msr primask, %0" : : "r"(was) : "memory");
}

/* Most times are near: a division of 64 bits is a long function of the compiler's library. */
static uint32_t ticks_in(uint64_t ns)
{
    enum { UP = RTG_MPS2_TICK_NS - 1 };
    if (ns <= UINT32_MAX - UP)
        return ((uint32_t)ns + UP) / RTG_MPS2_TICK_NS;
    return (uint32_t)((ns + UP) / RTG_MPS2_TICK_NS);
}

int rtg_board_timer_set(uint32_t index, uint64_t due_ns)
{
    if (index >= rtg_board_timers())
        return RTG_EINVAL;
    uint64_t ticks = rtg_mps2_ticks(), now = ticks * RTG_MPS2_TICK_NS;
    uint64_t ahead = due_ns > now ? due_ns - now : 0;
    if (ahead > timers[index].longest_ns)
        return RTG_EINVAL;
    uint32_t due = ~(uint32_t)ticks - ticks_in(ahead);
    uint32_t was = mask();
    quiet(index);
    start(index, due, lag);
    unmask(was);
    return RTG_OK;
}

void rtg_board_timer_cancel(uint32_t index)
{
    if (index < rtg_board_timers())
        quiet(index);
}

static inline __attribute__((always_inline)) void handle(uint32_t index)
{
    rtg_stamp_t entry = rtg_stamp_start();
    TIMER(index)->interrupt = 1;
    rtg_board_timer_fired(index, entry);
}

void rtg_mps2_timer0(void)
{
    handle(0);
}

void rtg_mps2_timer1(void)
{
    handle(1);
}
