/* Linux: the lines that the kernel's own tracers write between its events. */
#include <stdlib.h>
#include <string.h>

#include "linux_events.h"

enum { DEEPEST = 8, WITHIN_INTERRUPT = 0, INTERRUPTED = 1 };

/* "irq_noise: local_timer:236 start 3.665977642 duration 2206 ns": the numbers stand behind a
 * name, which may hold anything; that of an NMI has neither. */
static bool read_noise(const char *kind, char *fields, struct rtg_event *event)
{
    char *lasted = linux_event_last(fields, " duration ");
    if (lasted == NULL)
        return false;
    event->kind = RTG_EVENT_NOISE;
    event->due_ns = strtoull(lasted + sizeof " duration " - 1, NULL, 10);
    linux_event_copy(event->state, sizeof event->state, kind, strcspn(kind, "_"));
    *lasted = 0;
    char *start = linux_event_last(fields, " start "), *colon = NULL;
    if (start != NULL) {
        *start = 0;
        colon = strrchr(fields, ':');
    }
    if (colon == NULL)
        return true;
    fields += strspn(fields, " ");
    event->id = (int32_t)strtol(colon + 1, NULL, 10);
    linux_event_copy(event->name, sizeof event->name, fields,
                     fields < colon ? (size_t)(colon - fields) : 0);
    return true;
}

/* "irq_disable: caller=f+0x12/0x40 parent=g+0x3/0x50"; a lock's function says less than the one
 * that called it. */
static bool read_switching(bool off, char *fields, struct rtg_event *event)
{
    char *caller = strstr(fields, "caller="), *parent = strstr(fields, " parent=");
    if (caller == NULL)
        return false;
    caller += sizeof "caller=" - 1;
    parent = parent == NULL ? caller : parent + sizeof " parent=" - 1;
    const char *name = strncmp(caller, "_raw_", 5) == 0 && parent[0] != '0' ? parent : caller;
    event->kind = off ? RTG_EVENT_IRQS_OFF : RTG_EVENT_IRQS_ON;
    linux_event_copy(event->name, sizeof event->name, name, strcspn(name, "+ "));
    return true;
}

/* By which interrupts enter the kernel: what is behind them on the stack was interrupted. */
static bool is_entry(const char *function)
{
    return strncmp(function, "asm_", 4) == 0;
}

static void read_function(struct linux_event_memory *memory, const char *name,
                          struct rtg_event *event)
{
    if (memory->depth == WITHIN_INTERRUPT && !is_entry(name))
        return;
    if (memory->depth >= INTERRUPTED + DEEPEST)
        return;
    event->kind = RTG_EVENT_PLACE;
    event->id = memory->depth++ - INTERRUPTED;
    if (event->id >= 0)
        linux_event_copy(event->name, sizeof event->name, name, strcspn(name, "+ "));
}

bool linux_tracers_read(struct linux_event_memory *memory, const struct linux_event_line *line,
                        struct rtg_event *event)
{
    static const char *const noises[] = {"irq_noise", "softirq_noise", "thread_noise", "nmi_noise"};
    if (strcmp(line->event, LINUX_EVENT_FUNCTION) == 0) {
        read_function(memory, line->fields, event);
        return true;
    }
    if (strncmp(line->event, LINUX_EVENT_STACK, sizeof LINUX_EVENT_STACK - 1) == 0) {
        memory->depth = WITHIN_INTERRUPT;
        return true;
    }
    for (size_t i = 0; i < sizeof noises / sizeof *noises; i++)
        if (strcmp(line->event, noises[i]) == 0)
            return read_noise(noises[i], line->fields, event);
    if (strcmp(line->event, "irq_disable") == 0 || strcmp(line->event, "irq_enable") == 0)
        return read_switching(line->event[4] == 'd', line->fields, event);
    return false;
}
