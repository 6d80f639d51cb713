/* What the files of the kernel's events share. */
#ifndef RTG_LINUX_EVENTS_H
#define RTG_LINUX_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rtgauge/port.h"

enum { LINUX_EVENTS_KB = 2048, LINUX_EVENTS_CPUS = 8, LINUX_EVENTS_PATH = 192 };

/* CLOCK_MONOTONIC_RAW and a stamp at the same moment, which is known to `width_ns`. */
struct linux_anchor {
    uint64_t stamp, ns, width_ns;
};

extern struct linux_recorder {
    char folder[LINUX_EVENTS_PATH]; /* of the instance; "" while there is none */
    int32_t cpu[LINUX_EVENTS_CPUS]; /* whose events are kept, each in LINUX_EVENTS_KB */
    uint32_t cpus;
    int tracing_on;                  /* the file that switches it; -1 while there is none */
    char missing[160];               /* kinds that this kernel lacks */
    bool workload_was_on;            /* of the kernel's osnoise tracer: to be put back */
    uint64_t resolution_ns;          /* 0: that of the stamp clock */
    const struct rtg_clock *clock;   /* to which times are converted; NULL: they are stamps */
    struct linux_anchor first, last; /* of what is converted: when it was opened, last read */
} linux_recorder;

/* Makes the instance, after it has removed those of dead processes; *why when it cannot. */
int linux_events_make(const char **why);
/* Sets it up; nothing is recorded yet. */
int linux_events_prepare(const struct rtg_clock *clock, const char **why);
/* Both, for a user in this port. `tracers`: the kernel's own tracers tell causes as well, which
 * lengthens every interrupt and switch. */
int linux_events_open(const struct rtg_clock *clock, bool tracers, const char **why);

/* linux_tracers.c: the kernel's own tracers in our instance, as far as it has them; those that it
 * lacks are added to `missing`. */
void linux_tracers_begin(void);
void linux_tracers_end(void);
/* What an instance of a killed process, by its path, has left behind beside itself; to be called
 * before it is removed. */
void linux_tracers_recover(const char *instance);

/* Opens a file of our instance by its path there; -1 when there is none. */
int linux_events_file(const char *path, int flags);
/* "<before><number><behind>" into `to`. */
const char *linux_events_path(char *to, const char *before, uint64_t number, const char *behind);

/* Writes a text into a file of our instance. */
int linux_events_put(const char *path, const char *text);

/* linux_events_clock.c: whether the kernel makes CLOCK_MONOTONIC_RAW from the counter of `clock`.
 */
bool linux_clock_is_raw(const struct rtg_clock *clock);
/* From here on times of events are ns of CLOCK_MONOTONIC_RAW and become stamps of `clock`. */
void linux_clock_begin(const struct rtg_clock *clock);
/* To be called once what is to be converted has happened. */
void linux_clock_advance(void);
/* Times are known to `ns` only. */
void linux_clock_coarser(uint64_t ns);
/* So many ns as ticks of the stamp clock, 1 more where that is rounded. */
uint64_t linux_clock_ticks(uint64_t ns);
/* The stamp at a time. */
uint64_t linux_clock_stamp(uint64_t ns);
/* The same by the line through two anchors, also beyond them. Spans are < 2^55. */
uint64_t linux_anchored(const struct linux_anchor *from, const struct linux_anchor *to,
                        uint64_t ns);

/* One line of a CPU's record. Texts end with 0 and are valid during the call. */
struct linux_event_line {
    uint64_t at;
    int32_t thread; /* that was running */
    const char *event;
    char *fields;
};
typedef bool (*linux_event_line_fn)(void *to, const struct linux_event_line *line);
int linux_events_lines(int32_t cpu, linux_event_line_fn take, void *to);

/* At most `size` bytes of them with the 0 behind. */
void linux_event_copy(char *to, size_t size, const char *from, size_t length);
/* The last place where `key` stands, or NULL. */
char *linux_event_last(char *text, const char *key);

/* Splits a line of text, which is changed; false when it holds no event. Times with a
 * point are seconds and become ns. In a line with a function of a stack neither time nor
 * thread stand: both stay what they were. */
bool linux_event_split(char *text, struct linux_event_line *line);
/* The thread and the time of a line in "raw" form; false when it holds none. */
bool linux_event_time(const char *text, int32_t *thread, uint64_t *ns);
/* What port.h tells of an event; false for lines that are none of its kinds. `memory` is
 * 0 at the first line of a CPU. */
#define LINUX_EVENT_STACK "<stack trace>"
#define LINUX_EVENT_FUNCTION "=>" /* of a stack, innermost first */
struct linux_event_memory {
    int32_t depth; /* in the stack that is being read: 0 within the interrupt, then 1 up */
    struct {
        uint64_t timer, due;
    } started[512]; /* when timers are due, by the kernel's name for them */
    char function[32];
};
bool linux_event_read(struct linux_event_memory *memory, int32_t cpu,
                      const struct linux_event_line *line, struct rtg_event *event);
/* The same for lines of the tracers: false where it is none, kind RTG_EVENT_KINDS where it tells
 * nothing by itself. */
bool linux_tracers_read(struct linux_event_memory *memory, const struct linux_event_line *line,
                        struct rtg_event *event);

#endif
