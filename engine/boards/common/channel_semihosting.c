/* The channel by semihosting: the file "request" is read, "trace" and "console" are appended
 * to, all in the folder in which the emulator or debugger runs. */
#include <string.h>

#include "rtgauge/board.h"
#include "semihosting.h"

enum { APPLICATION_EXIT = 0x20026 };

/* Handles of files that are opened when first used: 0 is not open yet. QEMU's begin with 1. */
static intptr_t request, trace, console;

static intptr_t opened(intptr_t *handle, const char *name, enum semihosting_mode mode)
{
    if (*handle == 0)
        *handle = semihosting_open(name, strlen(name), mode);
    return *handle;
}

/* Bytes that were not transferred, all of them on error. */
static size_t transfer(enum semihosting_call call, intptr_t handle, const void *at, size_t size)
{
    const uintptr_t block[] = {(uintptr_t)handle, (uintptr_t)at, size};
    intptr_t rest = semihosting(call, block);
    return rest < 0 || (size_t)rest > size ? size : (size_t)rest;
}

long rtg_board_read(void *to, size_t size)
{
    intptr_t handle = opened(&request, "request", SEMIHOSTING_READ_BINARY);
    return handle < 0 ? -1 : (long)(size - transfer(SEMIHOSTING_READ, handle, to, size));
}

int rtg_board_write(const void *from, size_t size)
{
    intptr_t handle = opened(&trace, "trace", SEMIHOSTING_APPEND_BINARY);
    const unsigned char *at = from;
    while (handle >= 0 && size != 0) {
        size_t rest = transfer(SEMIHOSTING_WRITE, handle, at, size);
        if (rest == size)
            break;
        at += size - rest;
        size = rest;
    }
    return size == 0 ? RTG_OK : RTG_EFAIL;
}

bool rtg_board_stop_asked(void)
{
    return false; /* whoever wants that ends the emulator */
}

void rtg_board_say(const char *line)
{
    intptr_t handle = opened(&console, "console", SEMIHOSTING_APPEND_BINARY);
    if (handle < 0)
        return;
    transfer(SEMIHOSTING_WRITE, handle, line, strlen(line));
    transfer(SEMIHOSTING_WRITE, handle, "\n", 1);
}

void rtg_board_exit(int status)
{
    const uintptr_t block[] = {APPLICATION_EXIT, (uintptr_t)status};
    semihosting(SEMIHOSTING_EXIT_EXTENDED, block);
    for (;;)
        ;
}
