/* Linux: the kernel's event recorder, in an instance of our own, beside whatever others do
 * with theirs. */
#define _GNU_SOURCE
#include "linux_events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "posix.h"

enum { PATH = LINUX_EVENTS_PATH };

struct linux_recorder linux_recorder = {.tracing_on = -1};

/* ---- files --------------------------------------------------------------- */

const char *linux_events_path(char *to, const char *before, uint64_t number, const char *behind)
{
    char digits[24];
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

int linux_events_file(const char *path, int flags)
{
    char full[2 * PATH];
    stpcpy(stpcpy(full, linux_recorder.folder), path);
    return open(full, flags | O_CLOEXEC);
}

/* ---- the calls of port.h ----------------------------------------------------- */

int linux_events_open(const struct rtg_clock *clock, bool tracers, const char **why)
{
    if (linux_recorder.folder[0] != 0) {
        *why = "the kernel's events are being recorded already";
        return RTG_EBUSY;
    }
    int error = linux_events_make(why);
    if (error != RTG_OK)
        return error;
    error = linux_events_prepare(clock, why);
    if (error != RTG_OK)
        rtg_events_close();
    else if (tracers)
        linux_tracers_begin();
    return error;
}

int rtg_events_open(const struct rtg_clock *clock, const char **why)
{
    return linux_events_open(clock, true, why);
}

void rtg_events_close(void)
{
    if (linux_recorder.folder[0] == 0)
        return;
    if (linux_recorder.tracing_on >= 0) {
        rtg_events_record(false);
        close(linux_recorder.tracing_on);
    }
    linux_recorder.tracing_on = -1;
    linux_tracers_end();
    rmdir(linux_recorder.folder);
    linux_recorder.folder[0] = 0;
}

int rtg_events_facts(struct rtg_events_facts *facts)
{
    if (linux_recorder.folder[0] == 0)
        return RTG_EINVAL;
    *facts = (struct rtg_events_facts){linux_recorder.missing, LINUX_EVENTS_KB * 1024u,
                                       linux_recorder.resolution_ns};
    return RTG_OK;
}

int rtg_events_record(bool on)
{
    if (linux_recorder.tracing_on < 0)
        return RTG_EINVAL;
    return pwrite(linux_recorder.tracing_on, on ? "1" : "0", 1, 0) == 1 ? RTG_OK
                                                                        : posix_error(errno);
}

int rtg_events_clear(void)
{
    if (linux_recorder.tracing_on < 0)
        return RTG_EINVAL;
    int file = linux_events_file("trace", O_WRONLY | O_TRUNC);
    if (file < 0)
        return posix_error(errno);
    close(file);
    return RTG_OK;
}

static uint64_t number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at == NULL ? 0 : strtoull(at + strlen(key), NULL, 10);
}

int rtg_events_count(int32_t cpu, struct rtg_events_count *count)
{
    char path[PATH], text[1024];
    bool ours = false;
    if (linux_recorder.tracing_on < 0)
        return RTG_EINVAL;
    for (uint32_t i = 0; i < linux_recorder.cpus; i++)
        ours = ours || linux_recorder.cpu[i] == cpu;
    if (!ours)
        return RTG_ENOSUP;
    linux_events_path(path, "per_cpu/cpu", (uint64_t)cpu, "/stats");
    int file = linux_events_file(path, O_RDONLY);
    if (file < 0)
        return posix_error(errno);
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    text[got < 0 ? 0 : got] = 0;
    count->kept = number_after(text, "entries: ");
    count->lost = number_after(text, "\noverrun: ") + number_after(text, "\ncommit overrun: ") +
                  number_after(text, "\ndropped events: ");
    count->bytes = number_after(text, "\nbytes: ");
    return RTG_OK;
}
