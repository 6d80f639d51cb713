/* The comparators of the generic timer: the virtual one makes the kernel's tick, the physical one
 * and, where the image began at EL2, that of EL2 are independent timers. All compare with the same
 * count, to the tick. The machine has no other timer: its clock (PL031) has an alarm of a second's
 * resolution. */
#include "arm64_cntvct.h"
#include "rtg_board_freertos.h"
#include "rtgauge/board.h"
#include "virt.h"

enum { TICK_LEVEL = 30, OFF = 0, ON = 1 };

static struct rtg_board_timer timers[] = {
    {.name = "counter",
     .device = "physical comparator of the generic timer",
     .level = 24,
     .nests = true},
    {.name = "counter-2",
     .device = "EL2 comparator of the generic timer",
     .level = 20,
     .nests = true},
};
static const uint32_t irqs[] = {VIRT_PHYSICAL_IRQ, VIRT_EL2_TIMER_IRQ};
static uint32_t count;
static uint64_t tick_period;

uint32_t rtg_board_timers(void)
{
    return count;
}

const struct rtg_board_timer *rtg_board_timer_at(uint32_t index)
{
    return index < count ? &timers[index] : NULL;
}

const char *rtg_board_timer_marks(void)
{
    return "the first instruction of the handler that the kernel calls reads the counter";
}

/* A comparator in the past is due at once. */
static inline void compare(uint32_t index, uint64_t at, uint64_t control)
{
    if (index == 0) {
        __asm__ volatile("msr cntp_cval_el0, %0\n\tmsr cntp_ctl_el0, %1\n\tisb"
                         :
                         : "r"(at), "r"(control));
        return;
    }
    register uint64_t x0 __asm__("x0") = at;
    register uint64_t x1 __asm__("x1") = control;
    __asm__ volatile("hvc #0" : : "r"(x0), "r"(x1) : "memory");
}

int rtg_board_timer_set(uint32_t index, uint64_t due_ns)
{
    if (index >= count || due_ns > INT64_MAX)
        return RTG_EINVAL;
    compare(index, rtg_virt_ticks(due_ns), ON);
    return RTG_OK;
}

void rtg_board_timer_cancel(uint32_t index)
{
    if (index < count)
        compare(index, UINT64_MAX, OFF);
}

void rtg_virt_timers_init(bool has_el2)
{
    count = has_el2 ? 2 : 1;
    for (uint32_t i = 0; i < count; i++) {
        timers[i].step_ns_num = 1000000000;
        timers[i].step_ns_den = rtg_virt_hz();
        timers[i].longest_ns = INT64_MAX;
        rtg_board_timer_cancel(i);
        rtg_virt_gic_enable(irqs[i], (uint32_t)timers[i].level);
    }
}

void rtg_virt_tick_start(unsigned long per_second)
{
    tick_period = rtg_virt_hz() / per_second;
    uint64_t first = rtg_stamp_start() + tick_period;
    __asm__ volatile("msr cntv_cval_el0, %0\n\tmsr cntv_ctl_el0, %1\n\tisb"
                     :
                     : "r"(first), "r"((uint64_t)ON));
    rtg_virt_gic_enable(VIRT_VIRTUAL_IRQ, TICK_LEVEL);
}

/* From due time to due time, so that a late tick makes no later one late. */
void rtg_virt_tick_next(void)
{
    uint64_t due;
    __asm__ volatile("mrs %0, cntv_cval_el0" : "=r"(due));
    __asm__ volatile("msr cntv_cval_el0, %0\n\tisb" : : "r"(due + tick_period));
}

/* Interrupts are masked; once the timer is quiet, a more urgent one may come. */
static void fired(uint32_t index, rtg_stamp_t entry)
{
    compare(index, UINT64_MAX, OFF);
    __asm__ volatile("msr daifclr, #2" : : : "memory");
    rtg_board_timer_fired(index, entry);
}

#if configUSE_TASK_FPU_SUPPORT ==                                                                  \
    2 /* the kernel saves the floating-point registers before it calls */
#define HANDLER vApplicationFPUSafeIRQHandler
#else
#define HANDLER vApplicationIRQHandler
#endif
void HANDLER(uint32_t acknowledged)
{
    rtg_stamp_t entry = rtg_stamp_start();
    switch (acknowledged & 0x3ff) {
    case VIRT_VIRTUAL_IRQ:
        FreeRTOS_Tick_Handler();
        break;
    case VIRT_PHYSICAL_IRQ:
        fired(0, entry);
        break;
    case VIRT_EL2_TIMER_IRQ:
        fired(1, entry);
        break;
    default:
        break; /* one that was taken back before it was acknowledged */
    }
}
