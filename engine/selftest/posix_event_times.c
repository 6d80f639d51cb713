/* Times of the kernel's events as stamps of another counter: the line through two readings, and a
 * record whose times stand in it twice, rounded and in full. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "linux_events.h"
#include "rtgauge/clock.h"
#include "rtgauge/port.h"

/* 62.5 MHz: 16 ns a tick. */
static void between_and_beyond(void)
{
    struct linux_anchor from = {.stamp = 1000000, .ns = 5000000000}, to = {.stamp = 1063500000};
    to.ns = from.ns + (to.stamp - from.stamp) * 16;
    CHECK_EQUAL(linux_anchored(&from, &to, from.ns), from.stamp);
    CHECK_EQUAL(linux_anchored(&from, &to, to.ns), to.stamp);
    CHECK_EQUAL(linux_anchored(&from, &to, from.ns + 16000), from.stamp + 1000);
    CHECK_EQUAL(linux_anchored(&from, &to, from.ns + 31), from.stamp + 1);
    CHECK_EQUAL(linux_anchored(&from, &to, from.ns - 16000), from.stamp - 1000);
    CHECK_EQUAL(linux_anchored(&from, &to, to.ns + 16000), to.stamp + 1000);
    CHECK_EQUAL(linux_anchored(&from, &from, from.ns + 5), from.stamp); /* nothing to go by */
}

/* A year of 1 GHz and a bit, where the product of two spans has 110 bits. */
static void without_overflow(void)
{
    const uint64_t year = 31557600000000000, ticks = year + year / 1000000;
    struct linux_anchor from = {.stamp = UINT64_MAX - 9, .ns = 7}, to = {.ns = 7 + year};
    to.stamp = from.stamp + ticks;
    CHECK_EQUAL(linux_anchored(&from, &to, 7 + year), to.stamp);
    CHECK_EQUAL(linux_anchored(&from, &to, 7 + 1000000), from.stamp + 1000001);
    CHECK_EQUAL(linux_anchored(&from, &to, 7 + year / 2), from.stamp + ticks / 2);
    CHECK_EQUAL(linux_anchored(&from, &to, 7 + 20), 10);
}

static void lines_in_full(void)
{
    int32_t thread = 0;
    uint64_t ns = 0;
    CHECK(linux_event_time("9780 1 62233491505491 type: 4", &thread, &ns));
    CHECK_EQUAL(thread, 9780);
    CHECK_EQUAL(ns, 62233491505491);
    CHECK(linux_event_time("0 11 9 # ffff rtgauge", &thread, &ns));
    CHECK_EQUAL(thread, 0);
    CHECK_EQUAL(ns, 9);
    CHECK(!linux_event_time("# tracer: nop", &thread, &ns));
    CHECK(!linux_event_time("CPU:1 [LOST 17 EVENTS]", &thread, &ns));
    CHECK(!linux_event_time("9780 1", &thread, &ns));
    CHECK(!linux_event_time("9780 1 x", &thread, &ns));
    CHECK(!linux_event_time("", &thread, &ns));
}

/* ---- a record ----------------------------------------------------------------- */

static uint64_t raw_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static rtg_stamp_t read_counter(void)
{
    return raw_now() * 3 + 7;
}

static const struct rtg_clock counter = {
    .name = "arm64-cntvct", .width = 64, .direction = 1, .read = read_counter};

struct seen {
    uint64_t at[8];
    int n;
};

static bool see(void *to, const struct linux_event_line *line)
{
    struct seen *seen = to;
    if (seen->n < 8)
        seen->at[seen->n++] = line->at;
    return true;
}

/* One file stands for both forms: in either, lines of the other tell nothing. */
static void write_record(const char *folder, const char *text)
{
    static const char *const folders[] = {"/per_cpu", "/per_cpu/cpu0"};
    char path[128];
    for (size_t i = 0; i < 2; i++)
        mkdir(strcat(strcpy(path, folder), folders[i]), 0700);
    FILE *file = fopen(strcat(strcpy(path, folder), "/per_cpu/cpu0/trace"), "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void remove_record(const char *folder)
{
    static const char *const paths[] = {"/per_cpu/cpu0/trace", "/per_cpu/cpu0", "/per_cpu", ""};
    char path[128];
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        CHECK_EQUAL(remove(strcat(strcpy(path, folder), paths[i])), 0);
}

static struct seen read_record(const char *text)
{
    char folder[] = "/tmp/rtgauge-times-XXXXXX";
    struct seen seen = {.n = 0};
    CHECK(mkdtemp(folder) != NULL);
    write_record(folder, text);
    strcat(strcpy(linux_recorder.folder, folder), "/");
    linux_clock_begin(&counter);
    linux_recorder.first = linux_recorder.last = (struct linux_anchor){.stamp = 7};
    CHECK_EQUAL(linux_events_lines(0, see, &seen), RTG_OK);
    linux_recorder.folder[0] = 0;
    remove_record(folder);
    return seen;
}

/* The second anchor is some ns off, but these times lie next to the first one, which is not. */
static void check_stamp(uint64_t stamp, uint64_t ns)
{
    uint64_t exact = ns * 3 + 7;
    CHECK(stamp + 1 >= exact && stamp <= exact + 1);
}

/* Events of two threads within a microsecond, rounded up and down, and a line that is no event. */
static void times_in_full(void)
{
    struct seen seen = read_record("# tracer: nop\n"
                                   "            bash-21      [000] d.h.. 0.000101: a: x\n"
                                   "            bash-21      [000] d.h.. 0.000101: b\n"
                                   "            bash-21      [000] d.h.. 0.000101: <stack trace>\n"
                                   " => function\n"
                                   "          <idle>-0       [000] d.h.. 0.000101: c: x\n"
                                   "            bash-21      [000] d.h.. 0.000102: d: x\n"
                                   "21 0 100500 type: 1\n"
                                   "21 0 100900 type: 9\n"
                                   "21 0 101100 type: 4\n"
                                   "0 0 101499 type: 2\n"
                                   "21 0 101999 type: 1\n");
    CHECK_EQUAL(seen.n, 5);
    check_stamp(seen.at[0], 100500);
    CHECK_EQUAL(seen.at[2], seen.at[1]); /* the function has no time of its own */
    check_stamp(seen.at[3], 101499);
    check_stamp(seen.at[4], 101999);
    CHECK(linux_recorder.resolution_ns != 0);
}

static void times_that_stay_rounded(void)
{
    struct seen seen = read_record("            bash-21      [000] d.h.. 0.000101: a: x\n"
                                   "            bash-22      [000] d.h.. 0.000103: a: x\n"
                                   "            bash-21      [000] d.h.. 0.000104: a: x\n"
                                   "21 0 101001 type: 1\n"
                                   "21 0 104002 type: 1\n");
    CHECK_EQUAL(seen.n, 3);
    check_stamp(seen.at[0], 101001);
    check_stamp(seen.at[1], 103000);
    check_stamp(seen.at[2], 104002);
    CHECK(linux_recorder.resolution_ns >= 1000); /* which is said */
}

/* A counter that ran on while the other clock stood is not told to be exact. */
static void clocks_that_part(void)
{
    linux_clock_begin(&counter);
    linux_recorder.last.stamp += 3 * 50000;
    linux_clock_advance();
    CHECK(linux_recorder.resolution_ns > 40000);
    linux_recorder.clock = NULL;
    CHECK_EQUAL(linux_clock_stamp(12345), 12345);
    CHECK_EQUAL(linux_clock_ticks(1000), 1000);
}

int main(void)
{
    between_and_beyond();
    without_overflow();
    lines_in_full();
    times_in_full();
    times_that_stay_rounded();
    clocks_that_part();
    return check_end();
}
