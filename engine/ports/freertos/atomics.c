/* What compilers call for atomics of 64 bits on processors of 32: within a critical section, as
 * nothing in an interrupt uses them. The names are theirs, and known to them by other types. */
#include "freertos.h"

#if UINTPTR_MAX <= 0xffffffffu
uint64_t freertos_load_8(const volatile void *at, int order) __asm__("__atomic_load_8");
void freertos_store_8(volatile void *at, uint64_t value, int order) __asm__("__atomic_store_8");
uint64_t freertos_add_8(volatile void *at, uint64_t value,
                        int order) __asm__("__atomic_fetch_add_8");

uint64_t freertos_load_8(const volatile void *at, int order)
{
    (void)order;
    taskENTER_CRITICAL();
    uint64_t value = *(const volatile uint64_t *)at;
    taskEXIT_CRITICAL();
    return value;
}

void freertos_store_8(volatile void *at, uint64_t value, int order)
{
    (void)order;
    taskENTER_CRITICAL();
    *(volatile uint64_t *)at = value;
    taskEXIT_CRITICAL();
}

uint64_t freertos_add_8(volatile void *at, uint64_t value, int order)
{
    (void)order;
    taskENTER_CRITICAL();
    uint64_t before = *(volatile uint64_t *)at;
    *(volatile uint64_t *)at = before + value;
    taskEXIT_CRITICAL();
    return before;
}
#endif
