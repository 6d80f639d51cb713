/* Linux: facts and counters out of /proc and /sys. Paths are fixed here; none
 * comes from outside. */
#define _GNU_SOURCE
#include "posix.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "linux_read.h"

/* What follows the first line that begins with `key`, or NULL. */
static char *after(char *text, const char *key)
{
    size_t size = strlen(key);
    while (text != NULL && strncmp(text, key, size) != 0) {
        text = strchr(text, '\n');
        text = text == NULL ? NULL : text + 1;
    }
    return text == NULL ? NULL : text + size;
}

static void end_line(char *text)
{
    text[strcspn(text, "\n")] = 0;
}

/* "<before><number><behind>" into `to`. */
static const char *path_of(char *to, const char *before, uint32_t number, const char *behind)
{
    char digits[12];
    int used = 0;
    char *at = stpcpy(to, before);
    do
        digits[used++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (used != 0)
        *at++ = digits[--used];
    strcpy(at, behind);
    return to;
}

/* ---- facts -------------------------------------------------------------- */

/* An emulator tells by a word on the kernel's command line, which only it writes. */
uint32_t os_virtual_ns(void)
{
    static const char word[] = "rtgauge.virtual=";
    static int64_t found = -1;
    char text[2048];
    if (found < 0) {
        char *at = linux_read("/proc/cmdline", text, sizeof text) ? strstr(text, word) : NULL;
        long long ns = at == NULL ? 0 : strtoll(at + sizeof word - 1, NULL, 10);
        found = ns > 0 && ns <= UINT32_MAX ? ns : 0;
    }
    return (uint32_t)found;
}

static void put_cpu_model(rtg_fact_fn fact, void *to)
{
    static char text[4096];
    char *model = NULL;
    if (linux_read("/proc/cpuinfo", text, sizeof text) &&
        (model = after(text, "model name")) != NULL) {
        model += strspn(model, "\t: ");
        end_line(model);
        fact(to, "cpu_model", model, 0);
    }
}

static void put_line(rtg_fact_fn fact, void *to, const char *name, const char *path, char *text,
                     size_t size)
{
    if (linux_read(path, text, size)) {
        end_line(text);
        fact(to, name, text, 0);
    }
}

static void put_memory(rtg_fact_fn fact, void *to)
{
    char text[2048];
    char *total;
    if (linux_read("/proc/meminfo", text, sizeof text) &&
        (total = after(text, "MemTotal:")) != NULL)
        fact(to, "memory_kb", NULL, strtoll(total, NULL, 10));
}

void os_facts(rtg_fact_fn fact, void *to)
{
    static char source[64], command[2048];
    uint64_t private_ = 0, last = rtg_cache_bytes(&private_);
    if (os_virtual_ns() != 0) {
        fact(to, "time", "virtual", 0);
        fact(to, "ns_per_instruction", NULL, os_virtual_ns());
    }
    put_cpu_model(fact, to);
    put_line(fact, to, "clock_source",
             "/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
             sizeof source);
    put_line(fact, to, "kernel_command_line", "/proc/cmdline", command, sizeof command);
    put_memory(fact, to);
    fact(to, "cache_private_bytes", NULL, (int64_t)private_);
    fact(to, "cache_last_bytes", NULL, (int64_t)last);
#ifdef __GLIBC__
    fact(to, "c_library", "glibc", 0);
    fact(to, "c_library_version", gnu_get_libc_version(), 0);
#else
    fact(to, "c_library", "musl", 0);
#endif
}

/* ---- counters ----------------------------------------------------------- */

/* The n-th number (from 0) of a line. */
static int64_t field(const char *line, uint32_t n)
{
    char *end;
    for (uint32_t i = 0;; i++) {
        line += strspn(line, " \t");
        long long value = strtoll(line, &end, 10);
        if (end == line)
            return -1;
        if (i == n)
            return value;
        line = end;
    }
}

static _Alignas(65536) char counters[262144]; /* of one file at a time */

static void put_stat(int32_t cpu, rtg_fact_fn fact, void *to)
{
    static const char *const names[] = {"user_ticks", "nice_ticks", "system_ticks",  "idle_ticks",
                                        NULL,         "irq_ticks",  "softirq_ticks", "steal_ticks"};
    char *text = counters, key[32];
    char *line;
    path_of(key, "cpu", (uint32_t)cpu, " ");
    if (!linux_read("/proc/stat", text, sizeof counters) || (line = after(text, key)) == NULL)
        return;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        int64_t value = field(line, i);
        if (names[i] != NULL && value >= 0)
            fact(to, names[i], NULL, value);
    }
}

/* Column of a CPU in /proc/interrupts, from its header of online CPUs. */
static int column_of(const char *header, int32_t cpu)
{
    char key[32];
    int column = 0;
    path_of(key, "CPU", (uint32_t)cpu, "");
    size_t size = strlen(key);
    for (const char *at = header; *at != 0 && *at != '\n'; column++) {
        at += strspn(at, " ");
        if (strncmp(at, key, size) == 0 && !isdigit((unsigned char)at[size]))
            return column;
        at += strcspn(at, " \n");
    }
    return -1;
}

static bool is_timer(const char *line, const char *end)
{
    const char *arch = strstr(line, "arch_timer");
    const char *riscv = strstr(line, "riscv-timer");
    return strncmp(line + strspn(line, " "), "LOC:", 4) == 0 || (arch != NULL && arch < end) ||
           (riscv != NULL && riscv < end);
}

static void put_interrupts(int32_t cpu, rtg_fact_fn fact, void *to)
{
    char *text = counters;
    int64_t timer = 0, all = 0;
    if (!linux_read("/proc/interrupts", text, sizeof counters))
        return;
    int column = column_of(text, cpu);
    for (char *line = strchr(text, '\n'); column >= 0 && line != NULL && line[1] != 0;) {
        line++;
        char *end = strchr(line, '\n');
        char *colon = strchr(line, ':');
        int64_t count = colon == NULL ? -1 : field(colon + 1, (uint32_t)column);
        if (count >= 0) {
            all += count;
            timer += is_timer(line, end == NULL ? line + strlen(line) : end) ? count : 0;
        }
        line = end;
    }
    if (column >= 0) {
        fact(to, "timer_interrupts", NULL, timer);
        fact(to, "interrupts", NULL, all);
    }
}

void os_counters(int32_t cpu, rtg_fact_fn fact, void *to)
{
    os_keep_from_children(counters, sizeof counters); /* they count nothing */
    put_stat(cpu, fact, to);
    put_interrupts(cpu, fact, to);
}

/* ---- caches ------------------------------------------------------------- */

static uint64_t cache_size(const char *text)
{
    char *end;
    uint64_t size = strtoull(text, &end, 10);
    return *end == 'K' ? size << 10 : *end == 'M' ? size << 20 : size;
}

/* Caches are numbered from the first level up. */
uint64_t os_cache_bytes(int32_t cpu, uint64_t *private_)
{
    static const char *const files[] = {"/type", "/size", "/shared_cpu_list"};
    uint64_t largest = 0, own = 0;
    for (uint32_t index = 0; index < 10; index++) {
        char folder[128], path[192], text[3][64] = {"", "", ""};
        path_of(folder, "/sys/devices/system/cpu/cpu", (uint32_t)(cpu < 0 ? 0 : cpu),
                "/cache/index");
        path_of(folder + strlen(folder), "", index, "");
        for (int i = 0; i < 3; i++) {
            stpcpy(stpcpy(path, folder), files[i]);
            linux_read(path, text[i], sizeof text[i]);
        }
        uint64_t size = cache_size(text[1]);
        if (text[0][0] == 'I' || size == 0)
            continue;
        largest = size > largest ? size : largest;
        if (strpbrk(text[2], ",-") == NULL && size > own)
            own = size;
    }
    if (private_ != NULL)
        *private_ = own;
    return largest;
}

/* ---- usage -------------------------------------------------------------- */

static uint64_t count_entries(const char *path)
{
    uint64_t count = 0;
    DIR *folder = opendir(path);
    if (folder == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static uint64_t count_timers(void)
{
    static char text[16384];
    uint64_t count = 0;
    if (!linux_read("/proc/self/timers", text, sizeof text))
        return 0;
    for (char *at = text; (at = after(at, "ID:")) != NULL;)
        count++;
    return count;
}

/* Resident memory, open files, and threads with POSIX timers. */
int rtg_usage(struct rtg_usage *usage)
{
    char text[256];
    if (!linux_read("/proc/self/statm", text, sizeof text))
        return RTG_ENOSUP;
    usage->bytes = (uint64_t)field(text, 1) * (uint64_t)sysconf(_SC_PAGESIZE);
    usage->handles = count_entries("/proc/self/fd");
    usage->objects = count_entries("/proc/self/task") + count_timers();
    return RTG_OK;
}
