/* Linux: sources of interrupts of the kernel module, one device for each. The stamps are
 * taken by the handlers themselves. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../modules/linux/rtgauge_irq.h"
#include "linux_irq_module.h"
#include "posix.h"
#include "rtgauge/clock.h"

static const char *const names[] = {"hpet", "hpet-2", "counter", "hrtimer"};
enum { NAMES = sizeof names / sizeof names[0], PATH = 40 };

static struct {
    int file; /* plus 1: 0 is not open */
    enum rtgauge_irq_stamp stamp;
} opened[NAMES];

static void path_of(char path[PATH], uint32_t name)
{
    snprintf(path, PATH, "/dev/rtgauge-%s", names[name]);
}

/* The place in `names` of the index-th device that is there; NAMES: there is none. Looked up
 * once, so that indices do not change. */
static uint32_t place_of(uint32_t index)
{
    static uint32_t there[NAMES], number;
    static bool known;
    for (uint32_t name = 0; !known && name < NAMES; name++) {
        char path[PATH];
        path_of(path, name);
        if (access(path, F_OK) == 0)
            there[number++] = name;
    }
    known = true;
    return index < number ? there[index] : NAMES;
}

static int file_of(uint32_t index)
{
    uint32_t place = place_of(index);
    return place < NAMES ? opened[place].file - 1 : -1;
}

int linux_module_source(uint32_t index, struct rtg_irq_source *source)
{
    uint32_t place = place_of(index);
    if (place == NAMES)
        return RTG_ENOSUP;
    *source = (struct rtg_irq_source){
        .name = names[place],
        .marks = "stamps that the module's handler takes first and last",
        .holds = true,
        .shares_tick = strcmp(names[place], "hrtimer") == 0,
    };
    return RTG_OK;
}

/* Some C libraries take the command as a signed number; the kernel looks at its 32 bits. */
static int ask(int file, uint32_t what, void *with)
{
    return ioctl(file, (int)what, with);
}

/* Forgets what was there before. */
static int choose_stamps(int file, enum rtgauge_irq_stamp stamp)
{
    struct rtgauge_irq_marks none = {.stamp = stamp};
    return ask(file, RTGAUGE_IRQ_MARKS, &none);
}

static enum rtgauge_irq_stamp stamps_of(const struct rtg_clock *clock)
{
    if (strcmp(clock->name, "clock-monotonic") == 0)
        return RTGAUGE_IRQ_MONOTONIC;
    return strcmp(clock->name, "clock-monotonic-raw") == 0 ? RTGAUGE_IRQ_RAW : RTGAUGE_IRQ_COUNTER;
}

int linux_module_open(uint32_t index, const struct rtg_clock *clock, const char **why)
{
    struct rtgauge_irq_info info = {.version = 0};
    uint32_t place = place_of(index);
    char path[PATH];
    *why = "there is no such source";
    if (place == NAMES)
        return RTG_ENOSUP;
    *why = "the source is in use";
    if (opened[place].file != 0)
        return RTG_EBUSY;
    path_of(path, place);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        int error = posix_error(errno);
        *why = error == RTG_EBUSY ? *why : "the module's device may not be opened";
        return error;
    }
    enum rtgauge_irq_stamp stamp = stamps_of(clock);
    *why = "the module is of another version";
    if (ask(file, RTGAUGE_IRQ_INFO, &info) == 0 && info.version == RTGAUGE_IRQ_VERSION &&
        choose_stamps(file, stamp) == 0) {
        opened[place].file = file + 1;
        opened[place].stamp = stamp;
        return RTG_OK;
    }
    close(file);
    return RTG_ENOSUP;
}

void linux_module_close(uint32_t index)
{
    uint32_t place = place_of(index);
    if (place == NAMES || opened[place].file == 0)
        return;
    close(opened[place].file - 1);
    opened[place].file = 0;
}

int linux_module_fire(uint32_t index, uint64_t due_ns, uint64_t hold_ns)
{
    struct rtgauge_irq_fire fire = {.due_ns = due_ns, .hold_ns = hold_ns};
    return ask(file_of(index), RTGAUGE_IRQ_FIRE, &fire) == 0 ? RTG_OK : posix_error(errno);
}

int linux_module_repeat(uint32_t index, uint64_t first_ns, uint64_t period_ns, uint64_t n)
{
    struct rtgauge_irq_repeat repeat = {.first_ns = first_ns, .period_ns = period_ns, .count = n};
    return ask(file_of(index), RTGAUGE_IRQ_REPEAT, &repeat) == 0 ? RTG_OK : posix_error(errno);
}

int linux_module_count(uint32_t index, struct rtg_irq_count *count)
{
    struct rtgauge_irq_count told;
    if (ask(file_of(index), RTGAUGE_IRQ_COUNT, &told) != 0)
        return posix_error(errno);
    *count = (struct rtg_irq_count){
        .generated = told.generated, .serviced = told.serviced, .done = told.done != 0};
    return RTG_OK;
}

int linux_module_wait(uint32_t index)
{
    uint64_t fired;
    int file = file_of(index);
    ssize_t got;
    do
        got = read(file, &fired, sizeof fired);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno == ECANCELED ? RTG_ETIMEOUT : posix_error(errno);
    return RTG_OK;
}

int linux_module_cancel(uint32_t index)
{
    return ask(file_of(index), RTGAUGE_IRQ_CANCEL, NULL) == 0 ? RTG_OK : posix_error(errno);
}

int linux_module_marks(uint32_t index, struct rtg_irq_mark *mark, uint32_t n, uint64_t *lost)
{
    static struct rtgauge_irq_mark told[RTGAUGE_IRQ_BATCH];
    uint32_t place = place_of(index);
    if (place == NAMES || opened[place].file == 0 || n > RTG_IRQ_BATCH)
        return RTG_EINVAL;
    for (uint32_t i = 0; i < n; i++)
        told[i] = (struct rtgauge_irq_mark){.due_ns = mark[i].due_ns};
    struct rtgauge_irq_marks all = {
        .mark = (uintptr_t)told, .n = n, .stamp = (uint32_t)opened[place].stamp};
    if (ask(opened[place].file - 1, RTGAUGE_IRQ_MARKS, &all) != 0)
        return posix_error(errno);
    *lost = all.lost;
    for (uint32_t i = 0; i < n; i++) {
        mark[i] = (struct rtg_irq_mark){.due_ns = mark[i].due_ns,
                                        .entry = told[i].entry,
                                        .exit = told[i].exit,
                                        .times = told[i].times,
                                        .alone = true};
    }
    return RTG_OK;
}
