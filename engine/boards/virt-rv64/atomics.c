/* GCC before 14 calls a library for atomics of one byte; there is none here. The processor has them
 * for words of 32 bits: the byte is changed within its word. The names are the compiler's, and
 * known to it by other types. */
#include <stdbool.h>
#include <stdint.h>

uint8_t rtg_virt_exchange(volatile void *at, uint8_t value,
                          int order) __asm__("__atomic_exchange_1");
bool rtg_virt_compare_exchange(volatile void *at, void *expected, uint8_t value, bool weak,
                               int success, int failure) __asm__("__atomic_compare_exchange_1");

struct place {
    uint32_t *word;
    unsigned shift; /* of the byte in it */
};

static struct place place_of(volatile void *at)
{
    uintptr_t address = (uintptr_t)at;
    return (struct place){(uint32_t *)(address & ~(uintptr_t)3), (unsigned)(address & 3) * 8};
}

/* Puts the byte into the word, which was last seen as *seen. False: it has changed, *seen too. */
static bool replace(struct place p, uint32_t *seen, uint8_t value)
{
    uint32_t next = (*seen & ~((uint32_t)0xff << p.shift)) | (uint32_t)value << p.shift;
    return __atomic_compare_exchange_n(p.word, seen, next, true, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

uint8_t rtg_virt_exchange(volatile void *at, uint8_t value, int order)
{
    (void)order; /* the strictest */
    struct place p = place_of(at);
    uint32_t seen = __atomic_load_n(p.word, __ATOMIC_SEQ_CST);
    while (!replace(p, &seen, value))
        ;
    return (uint8_t)(seen >> p.shift);
}

bool rtg_virt_compare_exchange(volatile void *at, void *expected, uint8_t value, bool weak,
                               int success, int failure)
{
    (void)weak, (void)success, (void)failure;
    struct place p = place_of(at);
    uint32_t seen = __atomic_load_n(p.word, __ATOMIC_SEQ_CST);
    while ((uint8_t)(seen >> p.shift) == *(uint8_t *)expected) {
        if (replace(p, &seen, value))
            return true;
    }
    *(uint8_t *)expected = (uint8_t)(seen >> p.shift);
    return false;
}
