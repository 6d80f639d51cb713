/* Linux: a CPU's record line by line, with times in stamps.
 *
 * The kernel shows times of its own clocks rounded to microseconds, but in full in its "raw" form,
 *
 *   "1234 1 62233491505491 type: 459"
 *
 * which tells nothing else. Where times must be converted the record is read in both forms side by
 * side. The form is chosen when a line is made, so each file is read under its own. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "linux_events.h"
#include "posix.h"

enum { APART_NS = 1000 }; /* a time from its rounded one, less than this */

/* ---- times in full ---------------------------------------------------------- */

struct times {
    int file;
    size_t from, used; /* of text: not yet taken */
    char text[4096];
    int32_t thread; /* of the time that comes next */
    uint64_t ns;
    bool known; /* whether there is one */
};

static bool refill(struct times *times)
{
    times->used -= times->from;
    memmove(times->text, times->text + times->from, times->used);
    times->from = 0;
    if (times->used == sizeof times->text)
        times->used = 0;
    linux_events_put("trace_options", "raw");
    ssize_t got = read(times->file, times->text + times->used, sizeof times->text - times->used);
    linux_events_put("trace_options", "noraw");
    times->used += got > 0 ? (size_t)got : 0;
    return got > 0;
}

bool linux_event_time(const char *text, int32_t *thread, uint64_t *ns)
{
    char *end;
    *thread = (int32_t)strtol(text, &end, 10);
    if (end == text || *end != ' ')
        return false;
    strtol(text = end, &end, 10); /* the CPU */
    if (end == text || *end != ' ')
        return false;
    *ns = strtoull(text = end, &end, 10);
    return end != text && *end == ' ';
}

static bool next_time(struct times *times)
{
    while (!times->known) {
        char *text = times->text + times->from;
        char *line_end = memchr(text, '\n', times->used - times->from);
        if (line_end == NULL && !refill(times))
            return false;
        if (line_end == NULL)
            continue;
        *line_end = 0;
        times->from += (size_t)(line_end - text) + 1;
        times->known = linux_event_time(text, &times->thread, &times->ns);
    }
    return true;
}

/* The time in full of what the line tells; false when the record does not have it. */
static bool in_full(struct times *times, struct linux_event_line *line)
{
    for (; next_time(times) && times->ns < line->at + APART_NS; times->known = false) {
        if (times->thread == line->thread && times->ns + APART_NS > line->at) {
            line->at = times->ns;
            times->known = false;
            return true;
        }
    }
    return false;
}

/* ---- lines ------------------------------------------------------------------ */

struct taking {
    linux_event_line_fn take;
    void *to;
    struct linux_event_line line;
    struct times times;
    bool more;
};

static void take_line(struct taking *taking, char *text)
{
    struct linux_event_line *line = &taking->line;
    if (!linux_event_split(text, line))
        return;
    if (linux_recorder.clock != NULL && strcmp(line->event, LINUX_EVENT_FUNCTION) != 0) {
        if (!in_full(&taking->times, line))
            linux_clock_coarser(APART_NS);
        line->at = linux_clock_stamp(line->at);
    }
    taking->more = taking->take(taking->to, line);
}

/* Takes the whole lines of text[0, used); what is left stays, at the beginning. */
static size_t take_lines(struct taking *taking, char *text, size_t used)
{
    size_t from = 0;
    for (char *end; taking->more && (end = memchr(text + from, '\n', used - from)) != NULL;) {
        *end = 0;
        take_line(taking, text + from);
        from = (size_t)(end - text) + 1;
    }
    memmove(text, text + from, used - from);
    return used - from;
}

int linux_events_lines(int32_t cpu, linux_event_line_fn take, void *to)
{
    static char text[16384];
    static struct taking taking;
    char path[64];
    size_t used = 0;
    ssize_t got = 1;
    taking = (struct taking){.take = take, .to = to, .times.file = -1, .more = true};
    linux_events_path(path, "per_cpu/cpu", (uint64_t)cpu, "/trace");
    int file = linux_events_file(path, O_RDONLY);
    if (file < 0)
        return posix_error(errno);
    if (linux_recorder.clock != NULL) {
        linux_clock_advance();
        taking.times.file = linux_events_file(path, O_RDONLY);
    }
    while (taking.more && got > 0) {
        got = read(file, text + used, sizeof text - used);
        if (got > 0)
            used = take_lines(&taking, text, used + (size_t)got);
        if (used == sizeof text) /* no event is as long */
            used = 0;
    }
    int error = got < 0 ? posix_error(errno) : RTG_OK;
    close(file);
    if (taking.times.file >= 0)
        close(taking.times.file);
    return error;
}
