/*
 * A board for tests: the engine on the fake system, whose request and trace go over the link.
 * The line is standard input and output. It resets by starting its program again. What it
 * does wrong is said by the environment:
 *
 *   RTG_BOARD_BYTE_NS   that each byte takes to go out, as on a line of that rate
 *   RTG_BOARD_BOOT      text that a boot loader writes, in pieces, over RTG_BOARD_BOOT_MS
 *   RTG_BOARD_RESET_AT  starts again when it has written so many bytes of a trace; once
 *   RTG_BOARD_HANG_AT   does nothing any more from there on, but reads what comes
 *   RTG_BOARD_FAULT_AT  ends there as after a fault: a line for people, and status 87; once
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "link.h"
#include "rtgauge/port.h"

long __wrap_rtg_port_read(void *to, size_t size);
int __wrap_rtg_port_write(const void *from, size_t size);
bool __wrap_rtg_stop_asked(void);
bool __real_rtg_stop_asked(void);
void __wrap_rtg_port_exit(int status);

static struct rtg_link link_;
static unsigned long written;
static int empty; /* times that nobody had anything to do but look */

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void sleep_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static long number_of(const char *name)
{
    const char *text = getenv(name);
    return text == NULL ? 0 : atol(text);
}

/* Waits until the byte before is out. */
static void pace(void)
{
    static uint64_t free_at;
    static long byte_ns = -1;
    if (byte_ns < 0)
        byte_ns = number_of("RTG_BOARD_BYTE_NS");
    uint64_t now = now_ns();
    while (byte_ns != 0 && now < free_at) {
        struct timespec time = {0, free_at - now > 300000 ? 100000 : 0};
        if (time.tv_nsec != 0)
            nanosleep(&time, NULL);
        now = now_ns();
    }
    free_at = (free_at > now ? free_at : now) + (uint64_t)byte_ns;
}

static uint8_t out[64]; /* what goes out together, as it does behind most converters */
static size_t out_size;

static void flush_out(void)
{
    for (size_t at = 0; at < out_size;) {
        ssize_t n = write(STDOUT_FILENO, out + at, out_size - at);
        if (n > 0)
            at += (size_t)n;
        else if (errno == EAGAIN || errno == EINTR)
            sleep_ms(1);
        else
            _exit(0); /* the line is gone, and the test with it */
    }
    out_size = 0;
}

static void put_byte(uint8_t byte)
{
    pace();
    empty = 0;
    out[out_size++] = byte;
    if (out_size == sizeof out)
        flush_out();
}

static int get_byte(void)
{
    static uint8_t bytes[256];
    static ssize_t have, taken;
    if (taken == have) {
        struct pollfd in = {STDIN_FILENO, POLLIN, 0};
        taken = have = 0;
        if (empty > 1)
            flush_out();
        if (poll(&in, 1, empty > 64 ? 1 : 0) == 1) {
            have = read(STDIN_FILENO, bytes, sizeof bytes);
            if (have <= 0)
                _exit(0);
        }
        empty = have > 0 ? 0 : empty + 1;
    }
    return taken < have ? bytes[taken++] : -1;
}

static uint64_t limit_ns(void)
{
    return UINT64_MAX;
}

static const struct rtg_link_line board_line = {put_byte, get_byte, now_ns, limit_ns};

/* A processor that boots does not read its line. */
static void boot(void)
{
    const char *text = getenv("RTG_BOARD_BOOT");
    size_t size = text == NULL ? 0 : strlen(text);
    long ms = number_of("RTG_BOARD_BOOT_MS");
    for (int n = 1; n <= 10; n++) {
        for (size_t i = 0; i < size; i++)
            put_byte((uint8_t)text[i]);
        flush_out();
        sleep_ms(ms / 10);
    }
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
    uint8_t lost[256];
    while (read(STDIN_FILENO, lost, sizeof lost) > 0) {
    }
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) & ~O_NONBLOCK);
}

static void reset(void)
{
    char *words[] = {(char *)(uintptr_t)"board", NULL};
    execv("/proc/self/exe", words);
    _exit(1);
}

/* Whether it is time for something that is done once. */
static bool once(const char *name)
{
    long at = number_of(name);
    if (at == 0 || written < (unsigned long)at)
        return false;
    unsetenv(name);
    return true;
}

static void start(void)
{
    if (link_.line != NULL)
        return;
    boot();
    rtg_link_init(&link_, &board_line, "fake board");
}

long __wrap_rtg_port_read(void *to, size_t size)
{
    start();
    return rtg_link_read(&link_, to, size);
}

int __wrap_rtg_port_write(const void *from, size_t size)
{
    written += size;
    if (once("RTG_BOARD_RESET_AT"))
        reset();
    while (number_of("RTG_BOARD_HANG_AT") != 0 &&
           written >= (unsigned long)number_of("RTG_BOARD_HANG_AT")) {
        get_byte();
        sleep_ms(1);
    }
    if (once("RTG_BOARD_FAULT_AT")) {
        rtg_link_say(&link_, "rtgauge: hard fault: pc 0x08001234");
        rtg_link_end(&link_, 87);
        reset();
    }
    return rtg_link_write(&link_, from, size);
}

bool __wrap_rtg_stop_asked(void)
{
    empty = 0;
    bool told = __real_rtg_stop_asked(); /* which takes its time there */
    return rtg_link_stop_asked(&link_) || told;
}

void __wrap_rtg_port_exit(int status)
{
    rtg_link_end(&link_, status);
    reset();
}
