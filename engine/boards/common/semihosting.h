/* Calls to the debugger or emulator that an image runs under ("semihosting"): files and the
 * end of the image, as in Arm's and RISC-V's specifications. Without one they are a fault. */
#ifndef RTG_BOARD_SEMIHOSTING_H
#define RTG_BOARD_SEMIHOSTING_H

#include <stddef.h>
#include <stdint.h>

enum semihosting_call {
    SEMIHOSTING_OPEN = 0x01,
    SEMIHOSTING_WRITE = 0x05,
    SEMIHOSTING_READ = 0x06,
    SEMIHOSTING_EXIT_EXTENDED = 0x20
};
enum semihosting_mode { SEMIHOSTING_READ_BINARY = 1, SEMIHOSTING_APPEND_BINARY = 9 };

/* All arguments have the width of a register. */
static inline intptr_t semihosting(enum semihosting_call call, const uintptr_t *arguments)
{
#if defined(__aarch64__)
    register uintptr_t number __asm__("x0") = call;
    register const uintptr_t *block __asm__("x1") = arguments;
    __asm__ volatile("hlt #0xf000" : "+r"(number) : "r"(block) : "memory");
    return (intptr_t)number;
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
    register uintptr_t number __asm__("r0") = call;
    register const uintptr_t *block __asm__("r1") = arguments;
    __asm__ volatile("bkpt #0xab" : "+r"(number) : "r"(block) : "memory");
    return (intptr_t)number;
#elif defined(__riscv)
    /* The three instructions are one word: never compressed, never across a page. */
    register uintptr_t number __asm__("a0") = call;
    register const uintptr_t *block __asm__("a1") = arguments;
    __asm__ volatile(".option push\n\t.option norvc\n\t.balign 16\n\t"
                     "slli x0, x0, 0x1f\n\tebreak\n\tsrai x0, x0, 7\n\t.option pop"
                     : "+r"(number)
                     : "r"(block)
                     : "memory");
    return (intptr_t)number;
#else
#error "no semihosting is known for this processor"
#endif
}

/* A handle, or -1. */
static inline intptr_t semihosting_open(const char *name, size_t length, enum semihosting_mode mode)
{
    return semihosting(SEMIHOSTING_OPEN, (const uintptr_t[]){(uintptr_t)name, mode, length});
}

#endif
