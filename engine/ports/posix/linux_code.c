/* Straight-line machine code made at run time, for CAL-P-CPU. */
#define _GNU_SOURCE
#include "posix.h"

#include <string.h>
#include <sys/mman.h>

/* One plain instruction (add one to a scratch register) and a return. */
#if defined(__x86_64__) || defined(__i386__)
static const uint8_t plain[] = {0x83, 0xc0, 0x01}, back[] = {0xc3};
#elif defined(__aarch64__)
static const uint8_t plain[] = {0x00, 0x04, 0x00, 0x11}, back[] = {0xc0, 0x03, 0x5f, 0xd6};
#elif defined(__riscv)
static const uint8_t plain[] = {0x13, 0x05, 0x15, 0x00}, back[] = {0x67, 0x80, 0x00, 0x00};
#else
static const uint8_t plain[] = {0}, back[] = {0};
#define NO_CODE
#endif

/* The mapping begins with its own size, on a page of its own. */
enum { HEADER = 4096 };

int rtg_code_make(size_t bytes, void (**block)(void), uint64_t *instructions)
{
#ifdef NO_CODE
    (void)plain, (void)back, (void)bytes, (void)block, (void)instructions;
    return RTG_ENOSUP;
#else
    size_t count = (bytes + sizeof plain - 1) / sizeof plain;
    size_t size = HEADER + count * sizeof plain + sizeof back;
    uint8_t *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return RTG_EFULL;
    memcpy(memory, &size, sizeof size);
    uint8_t *at = memory + HEADER;
    for (size_t i = 0; i < count; i++, at += sizeof plain)
        memcpy(at, plain, sizeof plain);
    memcpy(at, back, sizeof back);
    if (mprotect(memory, size, PROT_READ | PROT_EXEC) != 0) {
        munmap(memory, size);
        return RTG_ENOSUP;
    }
    __builtin___clear_cache((char *)memory, (char *)memory + size);
    uint8_t *code = memory + HEADER;
    memcpy(block, &code, sizeof code); /* ISO C has no cast to a function pointer */
    *instructions = count + 1;
    return RTG_OK;
#endif
}

void rtg_code_free(void (*block)(void))
{
    uint8_t *code;
    size_t size;
    memcpy(&code, &block, sizeof code);
    memcpy(&size, code - HEADER, sizeof size);
    munmap(code - HEADER, size);
}
