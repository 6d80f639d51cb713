/* The machine's clock (a "goldfish" RTC) has an alarm to the nanosecond, by an external interrupt:
 * the independent timer. The kernel's tick is the hart's own timer (mtimecmp), of which there is
 * one. */
#include "riscv_mcycle.h"
#include "rtgauge/board.h"
#include "virt.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define RTC 0x00101000ul
enum { RTC_LOW = 0, RTC_HIGH = 4, RTC_ALARM_LOW = 8, RTC_ALARM_HIGH = 0xc };
enum { RTC_ENABLE = 0x10, RTC_CLEAR_ALARM = 0x14, RTC_CLEAR = 0x1c };

#define PLIC 0x0c000000ul
enum { PLIC_ENABLE = 0x2000, PLIC_THRESHOLD = 0x200000, PLIC_CLAIM = 0x200004 };
enum { RTC_IRQ = 11, EXTERNAL = 11 };

static const struct rtg_board_timer timer = {.name = "timer",
                                             .device = "alarm of the goldfish RTC",
                                             .level = 1,
                                             .nests = false,
                                             .step_ns_num = 1,
                                             .step_ns_den = 1,
                                             .longest_ns = INT64_MAX / 2};
static uint64_t offset; /* of the RTC from rtg_board_now */

uint32_t rtg_board_timers(void)
{
    return 1;
}

const struct rtg_board_timer *rtg_board_timer_at(uint32_t index)
{
    return index == 0 ? &timer : NULL;
}

const char *rtg_board_timer_marks(void)
{
    return "the first instruction of the handler that the kernel calls reads the counter";
}

/* Reading the low half freezes the high one. `instruction` receives how long one takes. */
static uint64_t measure_offset(uint64_t *instruction)
{
    uint64_t before, low, high, after;
    __asm__ volatile("csrr %0, mcycle\n\tlwu %1, 0(%4)\n\tlwu %2, 4(%4)\n\tcsrr %3, mcycle"
                     : "=&r"(before), "=&r"(low), "=&r"(high), "=&r"(after)
                     : "r"(RTC));
    *instruction = (after - before) / 3;
    return (high << 32 | low) - before - *instruction;
}

int rtg_board_timer_set(uint32_t index, uint64_t due_ns)
{
    if (index != 0 || due_ns > INT64_MAX / 2)
        return RTG_EINVAL;
    uint64_t due = due_ns + offset;
    rtg_board_timer_cancel(0);
    REGISTER(RTC + RTC_ALARM_HIGH) = (uint32_t)(due >> 32);
    REGISTER(RTC + RTC_ALARM_LOW) = (uint32_t)due; /* starts it; due at once when it has passed */
    return RTG_OK;
}

void rtg_board_timer_cancel(uint32_t index)
{
    if (index != 0)
        return;
    REGISTER(RTC + RTC_CLEAR_ALARM) = 1;
    REGISTER(RTC + RTC_CLEAR) = 1;
}

void rtg_virt_timers_init(void)
{
    uint64_t first, second;
    offset = measure_offset(&first);
    if (measure_offset(&second) != offset || first != second)
        rtg_board_fail("the hart's cycles are no nanoseconds", "QEMU must be started with -icount");
    rtg_board_timer_cancel(0);
    REGISTER(RTC + RTC_ENABLE) = 1;
    REGISTER(PLIC + 4 * RTC_IRQ) = (uint32_t)timer.level;
    REGISTER(PLIC + PLIC_ENABLE) = 1u << RTC_IRQ;
    REGISTER(PLIC + PLIC_THRESHOLD) = 0;
    __asm__ volatile("csrs mie, %0" : : "r"(1ul << EXTERNAL));
}

/* What the kernel's own handler of the tick goes on from. */
extern uint64_t ullNextTime;
extern volatile uint64_t *pullMachineTimerCompareRegister;
extern const size_t uxTimerIncrementsForOneTick;

void rtg_virt_tick_start(void)
{
    volatile uint64_t *now = (volatile uint64_t *)0x0200bff8ul;
    pullMachineTimerCompareRegister = (volatile uint64_t *)0x02004000ul;
    ullNextTime = *now + uxTimerIncrementsForOneTick;
    *pullMachineTimerCompareRegister = ullNextTime;
    ullNextTime += uxTimerIncrementsForOneTick;
}

void freertos_risc_v_application_interrupt_handler(uintptr_t cause)
{
    rtg_stamp_t entry = rtg_stamp_start();
    uint32_t irq = REGISTER(PLIC + PLIC_CLAIM);
    if ((cause & 0xff) != EXTERNAL)
        rtg_virt_fault(cause, 0);
    if (irq == RTC_IRQ)
        REGISTER(RTC + RTC_CLEAR) = 1;
    if (irq != 0) /* else it was taken back before it was claimed */
        REGISTER(PLIC + PLIC_CLAIM) = irq;
    if (irq == RTC_IRQ)
        rtg_board_timer_fired(0, entry);
}
