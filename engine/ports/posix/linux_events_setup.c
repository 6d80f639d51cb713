/* Linux: how an instance of the kernel's event recorder is made and set up. It is called
 * after this process, so that what a killed one left is known. */
#define _GNU_SOURCE
#include "linux_events.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posix.h"
#include "rtgauge/clock.h"

enum { MOST_MASK = 4096, PATH = LINUX_EVENTS_PATH };

static const char prefix[] = "rtgauge-";
static const char *const mounts[] = {"/sys/kernel/tracing/instances/",
                                     "/sys/kernel/debug/tracing/instances/"};

int linux_events_put(const char *path, const char *text)
{
    int file = linux_events_file(path, O_WRONLY);
    if (file < 0)
        return posix_error(errno);
    ssize_t wrote = write(file, text, strlen(text));
    int error = wrote < 0 ? posix_error(errno) : RTG_OK;
    close(file);
    return error;
}

/* ---- the instance --------------------------------------------------------- */

/* An instance in use cannot be removed, so one whose owner is merely not visible from
 * here (a container) stays. */
static void remove_stale(const char *mount)
{
    char path[2 * PATH];
    DIR *folder = opendir(mount);
    if (folder == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *digits = entry->d_name + sizeof prefix - 1;
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0 || strlen(digits) > 9 ||
            digits[0] == 0 || digits[strspn(digits, "0123456789")] != 0)
            continue;
        if (kill((pid_t)atol(digits), 0) != 0 && errno == ESRCH) {
            stpcpy(stpcpy(path, mount), entry->d_name);
            linux_tracers_recover(path);
            rmdir(path);
        }
    }
    closedir(folder);
}

static void choose_cpus(void)
{
    linux_recorder.cpu[0] = posix_limits.cpu;
    linux_recorder.cpus = 1;
    for (uint32_t i = 0; i < os_cpu_count() && linux_recorder.cpus < LINUX_EVENTS_CPUS; i++) {
        if ((int32_t)os_cpu_at(i) != posix_limits.cpu && os_cpu_at(i) < MOST_MASK)
            linux_recorder.cpu[linux_recorder.cpus++] = (int32_t)os_cpu_at(i);
    }
}

int linux_events_make(const char **why)
{
    int error = ENOENT;
    choose_cpus();
    for (size_t i = 0; i < sizeof mounts / sizeof *mounts && error == ENOENT; i++) {
        remove_stale(mounts[i]);
        linux_events_path(linux_recorder.folder, mounts[i], (uint64_t)getpid(), "");
        size_t stem = strlen(mounts[i]);
        memmove(linux_recorder.folder + stem + sizeof prefix - 1, linux_recorder.folder + stem,
                strlen(linux_recorder.folder + stem) + 1);
        memcpy(linux_recorder.folder + stem, prefix, sizeof prefix - 1);
        error = mkdir(linux_recorder.folder, 0700) == 0 ? 0 : errno;
    }
    if (error == 0) {
        strcat(linux_recorder.folder, "/");
        return RTG_OK;
    }
    linux_recorder.folder[0] = 0;
    if (error == EEXIST) {
        *why = "the kernel's events are being recorded under this process's name already";
        return RTG_EBUSY;
    }
    *why = error == ENOENT ? "this kernel offers no events: its tracing files are not mounted"
                           : "the kernel's events may not be used by this user";
    if (error == ENOMEM)
        *why = "the kernel has no memory for its events";
    return error == ENOENT ? RTG_ENOSUP : error == ENOMEM ? RTG_EFULL : RTG_EPERM;
}

/* The CPUs of ours as the kernel writes a mask: words of 32 bits, the highest first. */
static void mask_cpus(void)
{
    char text[MOST_MASK / 32 * 9 + 1], *at = text;
    int32_t highest = 0;
    for (uint32_t i = 0; i < linux_recorder.cpus; i++)
        highest = linux_recorder.cpu[i] > highest ? linux_recorder.cpu[i] : highest;
    for (int32_t word = highest / 32; word >= 0; word--) {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < linux_recorder.cpus; i++)
            bits |= linux_recorder.cpu[i] / 32 == word ? 1u << linux_recorder.cpu[i] % 32 : 0;
        for (int shift = 28; shift >= 0; shift -= 4)
            *at++ = "0123456789abcdef"[bits >> shift & 15];
        *at++ = word == 0 ? 0 : ',';
    }
    linux_events_put("tracing_cpumask", text);
}

/* What others have set for the whole system is inherited, and may change how lines look. */
static void set_options(void)
{
    static const char *const options[] = {
        "overwrite", "irq-info",     "context-info", "norecord-tgid",    "noraw",
        "nohex",     "nobin",        "nofields",     "nosym-offset",     "nosym-addr",
        "noverbose", "nostacktrace", "noevent-fork", "nouserstacktrace", "nolatency-format"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        linux_events_put("trace_options", options[i]);
}

static int set_room(void)
{
    char path[PATH], number[24];
    int error = linux_events_put("buffer_size_kb", "4");
    mask_cpus();
    linux_events_path(number, "", LINUX_EVENTS_KB, "");
    for (uint32_t i = 0; i < linux_recorder.cpus && error == RTG_OK; i++) {
        linux_events_path(path, "per_cpu/cpu", (uint64_t)linux_recorder.cpu[i], "/buffer_size_kb");
        error = linux_events_put(path, number);
    }
    return error;
}

/* ---- what is recorded ------------------------------------------------------ */

static bool enable(const char *event)
{
    char path[PATH];
    stpcpy(stpcpy(stpcpy(path, "events/"), event), "/enable");
    return linux_events_put(path, "1") == RTG_OK;
}

static bool enable_vectors(void)
{
    char path[2 * PATH];
    bool any = false;
    stpcpy(stpcpy(path, linux_recorder.folder), "events/irq_vectors");
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        const char *end = strrchr(entry->d_name, '_');
        if (end == NULL || strlen(entry->d_name) > 80 ||
            (strcmp(end, "_entry") != 0 && strcmp(end, "_exit") != 0))
            continue;
        stpcpy(stpcpy(path, "irq_vectors/"), entry->d_name);
        any = enable(path) || any;
    }
    if (folder != NULL)
        closedir(folder);
    return any;
}

static int enable_all(void)
{
    static const struct {
        const char *kind, *event[2];
    } wanted[] = {
        {"switch", {"sched/sched_switch", NULL}},
        {"waking", {"sched/sched_waking", NULL}},
        {"irq", {"irq/irq_handler_entry", "irq/irq_handler_exit"}},
        {"softirq", {"irq/softirq_entry", "irq/softirq_exit"}},
        {"timer-due", {"timer/hrtimer_expire_entry", "timer/hrtimer_start"}},
        {"timer-exit", {"timer/hrtimer_expire_exit", NULL}},
        {"timer-list", {"timer/timer_expire_entry", "timer/timer_expire_exit"}},
    };
    uint32_t enabled = 0;
    linux_recorder.missing[0] = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        bool has = enable(wanted[i].event[0]);
        if (has && wanted[i].event[1] != NULL)
            has = enable(wanted[i].event[1]);
        enabled += has;
        if (!has)
            strcat(strcat(linux_recorder.missing, linux_recorder.missing[0] == 0 ? "" : " "),
                   wanted[i].kind);
    }
    if (!enable_vectors())
        strcat(strcat(linux_recorder.missing, linux_recorder.missing[0] == 0 ? "" : " "), "vector");
    return enabled == 0 ? RTG_ENOSUP : RTG_OK;
}

/* ---- the clock -------------------------------------------------------------- */

struct marker {
    uint64_t at;
    bool seen;
};

static bool find_marker(void *to, const struct linux_event_line *line)
{
    struct marker *marker = to;
    marker->seen = strcmp(line->event, "tracing_mark_write") == 0;
    marker->at = line->at;
    return !marker->seen;
}

/* An event that we cause ourselves must lie between a stamp before and one after it. */
static bool proves(const struct rtg_clock *clock)
{
    struct marker marker = {.seen = false};
    int file = linux_events_file("trace_marker", O_WRONLY);
    if (file < 0)
        return false;
    rtg_events_record(true);
    uint64_t before = clock->read();
    ssize_t wrote = write(file, "rtgauge", 7);
    uint64_t after = clock->read();
    rtg_events_record(false);
    close(file);
    for (uint32_t i = 0; i < linux_recorder.cpus && wrote == 7 && !marker.seen; i++)
        linux_events_lines(linux_recorder.cpu[i], find_marker, &marker);
    rtg_events_clear();
    uint64_t slack = linux_clock_ticks(linux_recorder.resolution_ns);
    return marker.seen && marker.at + slack >= before && marker.at <= after + slack;
}

static int set_clock(const struct rtg_clock *clock, const char **why)
{
    static const struct {
        const char *stamps, *events;
        uint64_t resolution_ns;
    } pairs[] = {{"x86-tsc", "x86-tsc", 0}, /* the others are shown in whole microseconds */
                 {"clock-monotonic-raw", "mono_raw", 1000},
                 {"clock-monotonic", "mono", 1000}};
    linux_recorder.clock = NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        linux_recorder.resolution_ns = pairs[i].resolution_ns;
        if (strcmp(clock->name, pairs[i].stamps) == 0 &&
            linux_events_put("trace_clock", pairs[i].events) == RTG_OK)
            return RTG_OK;
    }
    if (linux_clock_is_raw(clock) && linux_events_put("trace_clock", "mono_raw") == RTG_OK) {
        linux_clock_begin(clock);
        return RTG_OK;
    }
    *why = "this kernel cannot record its events by the clock that stamps the samples";
    return RTG_ENOSUP;
}

int linux_events_prepare(const struct rtg_clock *clock, const char **why)
{
    *why = "the kernel's events could not be set up";
    linux_recorder.tracing_on =
        linux_events_file("tracing_on", O_WRONLY); /* as long as it is open, the */
    if (linux_recorder.tracing_on < 0)             /* instance cannot be removed */
        return RTG_EFAIL;
    rtg_events_record(false);
    set_options();
    int error = set_room();
    if (error == RTG_OK)
        error = set_clock(clock, why);
    if (error == RTG_OK && !proves(clock)) {
        *why = "the kernel's events are not in step with the clock that stamps the samples";
        error = RTG_ENOSUP;
    }
    if (error == RTG_OK && enable_all() != RTG_OK) {
        *why = "this kernel offers none of the events that are needed";
        error = RTG_ENOSUP;
    }
    return error;
}
