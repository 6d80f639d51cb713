/* Linux: the text in which the kernel shows its events.
 *
 *   "            name-1234    [001] d.h2. 35623358811663: sched_waking: comm=x y pid=7 prio=120
 * ..."
 *
 * Names of threads may hold anything, so they are found from fixed columns or from what
 * follows them, never by what they do not contain. */
#define _GNU_SOURCE
#include "linux_events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "posix.h"

enum { NAME_COLUMNS = 16, NAME_MOST = 15 };

/* ---- lines ------------------------------------------------------------------ */

static uint64_t stamp_of(const char *text, char **end)
{
    uint64_t whole = strtoull(text, end, 10);
    if (**end != '.')
        return whole;
    const char *digits = *end + 1;
    uint64_t part = strtoull(digits, end, 10);
    for (long places = *end - digits; places < 9; places++)
        part *= 10;
    return whole * 1000000000u + part;
}

/* " => FUNCTION", of the stack of the line before. */
static bool split_function(char *text, struct linux_event_line *line)
{
    static const char arrow[] = " => ";
    if (strncmp(text, arrow, sizeof arrow - 1) != 0)
        return false;
    line->event = LINUX_EVENT_FUNCTION;
    line->fields = text + sizeof arrow - 1;
    return true;
}

/* The thread's name takes 16 columns. */
bool linux_event_split(char *text, struct linux_event_line *line)
{
    char *at, *end;
    if (split_function(text, line))
        return true;
    if (strnlen(text, NAME_COLUMNS + 1) <= NAME_COLUMNS || text[NAME_COLUMNS] != '-')
        return false;
    line->thread = (int32_t)strtol(text + NAME_COLUMNS + 1, &at, 10);
    at += strspn(at, " ");
    if (*at != '[' || (at = strchr(at, ']')) == NULL)
        return false;
    at += 1 + strspn(at + 1, " ");
    end = at + strcspn(at, " :");
    if (*end == ' ') /* the flags of the CPU's state */
        at = end + strspn(end, " ");
    line->at = stamp_of(at, &end);
    if (end == at || strncmp(end, ": ", 2) != 0)
        return false;
    line->event = end + 2 + strspn(end + 2, " ");
    at = strchr(line->event, ':');
    if (at == NULL && strncmp(line->event, LINUX_EVENT_STACK, sizeof LINUX_EVENT_STACK - 1) != 0)
        return false;
    if (at == NULL) { /* its functions follow, each in a line */
        line->fields = strchr(line->event, 0);
        return true;
    }
    *at++ = 0;
    line->fields = at + strspn(at, " ");
    return true;
}

/* ---- fields ------------------------------------------------------------------ */

void linux_event_copy(char *to, size_t size, const char *from, size_t length)
{
    length = length < size - 1 ? length : size - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

char *linux_event_last(char *text, const char *key)
{
    char *found = NULL;
    for (char *at = text; (at = strstr(at, key)) != NULL; at++)
        found = at;
    return found;
}

/* The number behind the last `key`; -1 when there is none. */
static int64_t number(char *text, const char *key, int base)
{
    char *at = linux_event_last(text, key);
    return at == NULL ? -1 : (int64_t)strtoull(at + strlen(key), NULL, base);
}

/* "... prev_state=S ==> next_comm=NAME next_pid=1 next_prio=2": the arrow is looked for
 * where it must be, given that NAME has 15 bytes at most. */
static bool read_switch(char *fields, struct rtg_event *event)
{
    static const char arrow[] = " ==> next_comm=";
    enum { ARROW = sizeof arrow - 1 };
    char *end = linux_event_last(fields, " next_pid=");
    if (end == NULL || end - fields < ARROW)
        return false;
    event->id = (int32_t)number(end, " next_pid=", 10);
    event->level = (int32_t)number(end, " next_prio=", 10);
    char *from = end - fields < ARROW + NAME_MOST ? fields : end - ARROW - NAME_MOST;
    char *name = strstr(from, arrow);
    if (name == NULL || name > end - ARROW)
        return false;
    linux_event_copy(event->name, sizeof event->name, name + ARROW, (size_t)(end - name - ARROW));
    char *state = name;
    while (state > fields && state[-1] != '=')
        state--;
    linux_event_copy(event->state, sizeof event->state, state, (size_t)(name - state));
    return true;
}

static bool read_waking(char *fields, struct rtg_event *event)
{
    char *end = linux_event_last(fields, " pid=");
    if (end == NULL || strncmp(fields, "comm=", 5) != 0)
        return false;
    linux_event_copy(event->name, sizeof event->name, fields + 5, (size_t)(end - fields - 5));
    event->id = (int32_t)number(end, " pid=", 10);
    event->level = (int32_t)number(end, " prio=", 10);
    event->target = (int32_t)number(end, " target_cpu=", 10);
    return true;
}

/* "irq=1 name=NAME", "irq=1 ret=handled". */
static bool read_irq(char *fields, struct rtg_event *event)
{
    event->id = (int32_t)number(fields, "irq=", 10);
    char *name = strstr(fields, " name=");
    if (name != NULL)
        linux_event_copy(event->name, sizeof event->name, name + 6, strlen(name + 6));
    return true;
}

/* "vec=1 [action=TIMER]". */
static bool read_softirq(char *fields, struct rtg_event *event)
{
    event->id = (int32_t)number(fields, "vec=", 10);
    char *name = strstr(fields, "[action=");
    if (name != NULL)
        linux_event_copy(event->name, sizeof event->name, name + 8, strcspn(name + 8, "]"));
    return true;
}

static uint64_t timer_of(char *fields)
{
    return (uint64_t)number(fields, "timer=", 16);
}

/* Where a timer's due time is kept: its own place, else a free one, else that of another,
 * which is then forgotten. An address ends in zeros; the kernel shows it hashed or not. */
static uint32_t place_of(const struct linux_event_memory *memory, uint64_t timer)
{
    enum { PLACES = sizeof memory->started / sizeof *memory->started, NEAR = 16 };
    uint32_t home = (uint32_t)((timer >> 6 ^ timer >> 15 ^ timer) % PLACES), empty = home;
    for (uint32_t i = NEAR; i-- > 0;) {
        uint32_t at = (home + i) % PLACES;
        if (memory->started[at].timer == timer)
            return at;
        if (memory->started[at].timer == 0)
            empty = at;
    }
    return empty;
}

static void remember_start(struct linux_event_memory *memory, char *fields)
{
    uint64_t timer = timer_of(fields);
    uint32_t at = place_of(memory, timer);
    memory->started[at].timer = timer;
    memory->started[at].due = (uint64_t)number(fields, " expires=", 10);
}

/* Jiffies, in which the other timers count, are no time of the sleep clock. */
static bool read_timer(struct linux_event_memory *memory, char *fields, bool due,
                       struct rtg_event *event)
{
    uint64_t timer = timer_of(fields);
    char *function = strstr(fields, " function=");
    if (due && function != NULL)
        linux_event_copy(memory->function, sizeof memory->function, function + 10,
                         strcspn(function + 10, " "));
    uint32_t at = place_of(memory, timer);
    if (due && memory->started[at].timer == timer) {
        event->due_ns = memory->started[at].due;
        memory->started[at].timer = 0;
    }
    linux_event_copy(event->name, sizeof event->name, memory->function, strlen(memory->function));
    return true;
}

/* "local_timer_entry: vector=236". */
static bool read_vector(const char *name, char *fields, struct rtg_event *event)
{
    const char *end = strrchr(name, '_');
    if (end == NULL || strncmp(fields, "vector=", 7) != 0)
        return false;
    bool entry = strcmp(end, "_entry") == 0;
    if (!entry && strcmp(end, "_exit") != 0)
        return false;
    event->kind = entry ? RTG_EVENT_VECTOR_ENTRY : RTG_EVENT_VECTOR_EXIT;
    event->id = (int32_t)number(fields, "vector=", 10);
    linux_event_copy(event->name, sizeof event->name, name, (size_t)(end - name));
    return true;
}

bool linux_event_read(struct linux_event_memory *memory, int32_t cpu,
                      const struct linux_event_line *line, struct rtg_event *event)
{
    static const struct {
        const char *name;
        enum rtg_event_kind kind;
    } kinds[] = {{"sched_switch", RTG_EVENT_SWITCH},
                 {"sched_waking", RTG_EVENT_WAKING},
                 {"irq_handler_entry", RTG_EVENT_IRQ_ENTRY},
                 {"irq_handler_exit", RTG_EVENT_IRQ_EXIT},
                 {"softirq_entry", RTG_EVENT_SOFTIRQ_ENTRY},
                 {"softirq_exit", RTG_EVENT_SOFTIRQ_EXIT},
                 {"hrtimer_expire_entry", RTG_EVENT_TIMER_DUE},
                 {"hrtimer_expire_exit", RTG_EVENT_TIMER_EXIT},
                 {"timer_expire_entry", RTG_EVENT_TIMER_DUE},
                 {"timer_expire_exit", RTG_EVENT_TIMER_EXIT}};
    size_t i = 0;
    *event = (struct rtg_event){.at = line->at,
                                .cpu = (uint32_t)cpu,
                                .kind = RTG_EVENT_KINDS,
                                .other = line->thread,
                                .level = -1,
                                .target = -1};
    if (strcmp(line->event, "hrtimer_start") == 0) {
        remember_start(memory, line->fields);
        return false;
    }
    if (linux_tracers_read(memory, line, event))
        return event->kind != RTG_EVENT_KINDS;
    while (i < sizeof kinds / sizeof *kinds && strcmp(line->event, kinds[i].name) != 0)
        i++;
    if (i == sizeof kinds / sizeof *kinds)
        return read_vector(line->event, line->fields, event);
    event->kind = kinds[i].kind;
    switch (event->kind) {
    case RTG_EVENT_SWITCH:
        return read_switch(line->fields, event);
    case RTG_EVENT_WAKING:
        return read_waking(line->fields, event);
    case RTG_EVENT_IRQ_ENTRY:
    case RTG_EVENT_IRQ_EXIT:
        return read_irq(line->fields, event);
    case RTG_EVENT_SOFTIRQ_ENTRY:
    case RTG_EVENT_SOFTIRQ_EXIT:
        return read_softirq(line->fields, event);
    default:
        return read_timer(memory, line->fields, event->kind == RTG_EVENT_TIMER_DUE, event);
    }
}

/* ---- the call of port.h -------------------------------------------------------- */

struct reading {
    struct linux_event_memory memory;
    int32_t cpu;
    rtg_event_fn take;
    void *to;
};

static bool pass_on(void *to, const struct linux_event_line *line)
{
    struct reading *reading = to;
    struct rtg_event event;
    if (!linux_event_read(&reading->memory, reading->cpu, line, &event))
        return true;
    return reading->take(reading->to, &event);
}

int rtg_events_read(int32_t cpu, rtg_event_fn take, void *to)
{
    struct rtg_events_facts facts;
    struct reading reading = {.cpu = cpu, .take = take, .to = to};
    if (rtg_events_facts(&facts) != RTG_OK)
        return RTG_EINVAL;
    return linux_events_lines(cpu, pass_on, &reading);
}
