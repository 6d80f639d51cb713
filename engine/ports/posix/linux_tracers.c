/* Linux: tracers that the kernel has beside its events, in our instance of its recorder.
 *
 * osnoise   its account of each interrupt, softirq, thread and NMI, without what interrupted it.
 *           Its own busy threads are left out: the option for that is the whole system's, so it is
 *           changed only while nobody else uses the tracer, and put back.
 * stack     of what the timer's interrupt came upon: where interrupts were off until then. To put
 * it down takes longer than most of what delays a PREEMPT_RT kernel: not there. preemptirq  each
 * switching off and on of interrupts, in kernels that are built to tell that. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "linux_events.h"
#include "linux_read.h"

enum { PATH = 2 * LINUX_EVENTS_PATH, TEXT = 256 };

/* What is shorter the switches tell as well. */
static const char long_thread[] = "duration >= 20000";
static const char workload[] = "OSNOISE_WORKLOAD";
static const char instances[] = "instances/";

/* ---- files ------------------------------------------------------------------- */

static bool put(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t wrote = file < 0 ? -1 : write(file, text, strlen(text));
    if (file >= 0)
        close(file);
    return wrote == (ssize_t)strlen(text);
}

static bool put_ours(const char *file, const char *text)
{
    char path[PATH];
    stpcpy(stpcpy(path, linux_recorder.folder), file);
    return put(path, text);
}

/* Whether `word` stands by itself in the text of a file. */
static bool has_word(const char *path, const char *word)
{
    char text[TEXT];
    size_t length = strlen(word);
    if (!linux_read(path, text, sizeof text))
        return false;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length) {
        bool begins = at == text || strchr(" \n", at[-1]) != NULL;
        if (begins && strchr(" \n", at[length]) != NULL) /* or the end */
            return true;
    }
    return false;
}

/* The folder of the whole system's tracing, of which an instance is a part. */
static void root_of(const char *instance, char root[PATH], const char *file)
{
    const char *end = strstr(instance, instances);
    size_t length = end == NULL ? 0 : (size_t)(end - instance);
    memcpy(root, instance, length);
    strcpy(root + length, file);
}

/* ---- osnoise ------------------------------------------------------------------ */

static bool runs_osnoise(const char *folder)
{
    char path[PATH];
    stpcpy(stpcpy(path, folder), "/current_tracer");
    return has_word(path, "osnoise") || has_word(path, "timerlat");
}

/* Whether somebody else does: its options are not ours then. */
static bool others_use_it(void)
{
    char path[PATH];
    root_of(linux_recorder.folder, path, "");
    bool used = runs_osnoise(path);
    root_of(linux_recorder.folder, path, instances);
    size_t length = strlen(path);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && !used && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.' || strlen(entry->d_name) > LINUX_EVENTS_PATH / 2)
            continue;
        strcpy(path + length, entry->d_name);
        used = runs_osnoise(path);
    }
    if (folder != NULL)
        closedir(folder);
    return used;
}

static bool begin_noise(void)
{
    static const char *const events[] = {"irq", "softirq", "thread", "nmi"};
    char options[PATH], path[TEXT];
    bool enabled = true;
    stpcpy(stpcpy(options, linux_recorder.folder), "available_tracers");
    if (!has_word(options, "osnoise") || others_use_it())
        return false;
    root_of(linux_recorder.folder, options, "osnoise/options");
    linux_recorder.workload_was_on = has_word(options, workload);
    if (linux_recorder.workload_was_on && !put(options, "NO_OSNOISE_WORKLOAD"))
        linux_recorder.workload_was_on = false;
    if (!has_word(options, "NO_OSNOISE_WORKLOAD") || !put_ours("current_tracer", "osnoise"))
        return false;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        stpcpy(stpcpy(stpcpy(path, "events/osnoise/"), events[i]), "_noise/enable");
        enabled = put_ours(path, "1") && enabled;
    }
    put_ours("events/osnoise/thread_noise/filter", long_thread);
    return enabled;
}

void linux_tracers_recover(const char *instance)
{
    char options[PATH], path[PATH];
    if (!runs_osnoise(instance))
        return;
    stpcpy(stpcpy(path, instance), "/current_tracer");
    root_of(instance, options, "osnoise/options");
    put(path, "nop");
    put(options, workload);
}

/* ---- where interrupts were off --------------------------------------------------- */

static bool begin_stacks(void)
{
    return !linux_is_realtime() &&
           put_ours("events/irq_vectors/local_timer_entry/trigger", "stacktrace");
}

static bool begin_switching(void)
{
    return put_ours("events/preemptirq/irq_disable/enable", "1") &&
           put_ours("events/preemptirq/irq_enable/enable", "1");
}

/* ---- all of them ------------------------------------------------------------------ */

static void lacks(const char *kind)
{
    char *missing = linux_recorder.missing;
    strcat(strcat(missing, missing[0] == 0 ? "" : " "), kind);
}

void linux_tracers_begin(void)
{
    if (!begin_noise())
        lacks("noise");
    if (!begin_stacks())
        lacks("place");
    if (!begin_switching())
        lacks("irqs-off");
}

void linux_tracers_end(void)
{
    char options[PATH];
    put_ours("current_tracer", "nop");
    root_of(linux_recorder.folder, options, "osnoise/options");
    if (linux_recorder.workload_was_on)
        put(options, workload);
    linux_recorder.workload_was_on = false;
}
