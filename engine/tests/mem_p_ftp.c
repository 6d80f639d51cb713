/* MEM-P-FTP: what the program, the kernel and each object take in memory.
 *
 * Objects are made in batches and kept, and the usage is read before and after each batch:
 * so memory that the system had in reserve shows as a smaller first value. A value holds
 * the object as the port knows it, and what the process holds more for it. */
#include "common/objects.h"

enum { BATCH = 32, THREADS = 4, MOST = 1024, STACK = 96 * 1024 };

struct item {
    union {
        struct rtg_thread thread;
        struct rtg_queue queue;
        struct object object;
    } of;
};

static struct rtg_sem gate; /* where the threads wait */

static int make_waiter(struct item *item)
{
    const char *why;
    bool realtime = rtg_realtime_allowed(&why) == RTG_OK;
    struct rtg_thread_spec spec = {.entry = wait_at_gate,
                                   .arg = &gate,
                                   .policy = realtime ? RTG_FIFO : RTG_NORMAL,
                                   .level = rtg_role_level(RTG_HI),
                                   .cpu = rtg_test_cpu(),
                                   .stack = STACK};
    int error = rtg_thread_create(&item->of.thread, &spec);
    if (error == RTG_OK && !realtime)
        rtg_sleep_for(1000000); /* it begins at its own pace */
    return error;
}

static int drop_waiter(struct item *item)
{
    return rtg_thread_join(&item->of.thread);
}

static int make_queue(struct item *item)
{
    return rtg_queue_create(&item->of.queue, 1, 64);
}

static int drop_queue(struct item *item)
{
    return rtg_queue_destroy(&item->of.queue);
}

#define OBJECT(kind, destroy)                                                                      \
    static int new_##kind(struct item *item)                                                       \
    {                                                                                              \
        return make_##kind(&item->of.object);                                                      \
    }                                                                                              \
    static int end_##kind(struct item *item)                                                       \
    {                                                                                              \
        return destroy;                                                                            \
    }
OBJECT(semaphore, rtg_sem_destroy(&item->of.object.sem))
OBJECT(named, rtg_sem_destroy(&item->of.object.sem))
OBJECT(mutex, rtg_mutex_destroy(&item->of.object.mutex))
OBJECT(timer, rtg_timer_destroy(&item->of.object.timer))

struct part {
    const char *name, *what;
    uint32_t own; /* bytes of the object as the port knows it */
    uint32_t batch;
    int (*make)(struct item *item);
    int (*drop)(struct item *item);
};

static const struct part *part_of(const struct rtg_run *run)
{
    static const struct part parts[] = {
        {"thread", "with a stack of 96 KB", sizeof(struct rtg_thread), THREADS, make_waiter,
         drop_waiter},
        {"semaphore", "", sizeof(struct rtg_sem), BATCH, new_semaphore, end_semaphore},
        {"named-semaphore", "", sizeof(struct rtg_sem), BATCH, new_named, end_named},
        {"mutex", "", sizeof(struct rtg_mutex), BATCH, new_mutex, end_mutex},
        {"queue", "of one message of 64 bytes", sizeof(struct rtg_queue), THREADS, make_queue,
         drop_queue},
        {"timer", "", sizeof(struct rtg_timer), THREADS, new_timer, end_timer},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (rtg_is(run, "part", parts[i].name))
            return &parts[i];
    return NULL;
}

/* ---- objects -------------------------------------------------------------------- */

static int measure(struct rtg_run *run, const struct part *part, struct item *items, uint32_t *made)
{
    struct rtg_usage before, after;
    int error = rtg_usage(&before);
    while (error == RTG_OK && *made + part->batch <= MOST && rtg_next(run)) {
        for (uint32_t i = 0; error == RTG_OK && i < part->batch; i++) {
            error = part->make(&items[*made]);
            *made += error == RTG_OK;
        }
        rtg_stamp_t when = rtg_clock_of(run)->read();
        if (error != RTG_OK || (error = rtg_usage(&after)) != RTG_OK)
            break;
        uint64_t more = after.bytes > before.bytes ? after.bytes - before.bytes : 0;
        rtg_record(run, 0, when, (rtg_stamp_t)(part->own + more / part->batch), 0);
        before = after;
    }
    return error;
}

static enum rtg_outcome measure_objects(struct rtg_run *run, const struct part *part,
                                        struct item *items)
{
    struct rtg_footprint print = {.kernel_now = 0}, later = {.kernel_now = 0};
    struct rtg_usage before, after;
    uint32_t made = 0;
    if (rtg_usage(&before) != RTG_OK)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "this system does not tell what is in use");
    rtg_footprint(&print);
    int error = measure(run, part, items, &made);
    rtg_footprint(&later);
    if (rtg_usage(&after) == RTG_OK && made != 0)
        rtg_evidence(run, "handles_each", (int64_t)((after.handles - before.handles) / made), "");
    for (uint32_t i = 0; part->drop == drop_waiter && i < made; i++)
        rtg_sem_release(&gate);
    for (uint32_t i = 0; i < made; i++)
        part->drop(&items[i]);
    rtg_evidence(run, "objects", made, "");
    rtg_evidence(run, "own_bytes", part->own, "B");
    if (part->what[0] != 0)
        rtg_evidence_text(run, "form", part->what);
    if (later.kernel_now != 0 && made != 0) /* of the whole system: others change it too */
        rtg_evidence(run, "kernel_bytes_each",
                     ((int64_t)later.kernel_now - (int64_t)print.kernel_now) / (int64_t)made, "B");
    return error == RTG_OK || (error == RTG_EFULL && made >= part->batch)
               ? RTG_DONE
               : rtg_error(run, error, "creating an object");
}

static enum rtg_outcome run_objects(struct rtg_run *run, const struct part *part)
{
    const char *why;
    size_t wanted = MOST * sizeof(struct item), bytes = wanted;
    struct item *items = rtg_scratch(run, &bytes);
    if (items == NULL || bytes < wanted)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory for the objects");
    int error = make_gate(&gate);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a semaphore");
    if (rtg_realtime_allowed(&why) == RTG_OK)
        rtg_self_level(run, rtg_role_level(RTG_LO)); /* a new thread runs at once */
    enum rtg_outcome outcome = measure_objects(run, part, items);
    rtg_sem_destroy(&gate);
    return outcome;
}

/* ---- program and kernel ----------------------------------------------------------- */

static enum rtg_outcome run_program(struct rtg_run *run)
{
    struct rtg_footprint print;
    if (rtg_footprint(&print) != RTG_OK)
        return rtg_reason(run, RTG_NOT_SUPPORTED,
                          "this system does not tell the sizes of programs");
    bool kernel = rtg_is(run, "part", "kernel");
    uint64_t value = kernel                          ? print.kernel
                     : rtg_is(run, "part", "code")   ? print.code
                     : rtg_is(run, "part", "static") ? print.data + print.zero
                                                     : 0;
    if (kernel && value == 0)
        return rtg_reason(run, RTG_NOT_SUPPORTED, print.kernel_how);
    while (rtg_next(run))
        rtg_record(run, 0, rtg_clock_of(run)->read(), (rtg_stamp_t)value, 0);
    rtg_evidence_text(run, "how", kernel ? print.kernel_how : print.program_how);
    if (kernel)
        rtg_evidence(run, "kernel_now", (int64_t)print.kernel_now, "B");
    if (rtg_is(run, "part", "static"))
        rtg_evidence(run, "of_which_zero", (int64_t)print.zero, "B");
    return RTG_DONE;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    const struct part *part = part_of(run);
    return part == NULL ? run_program(run) : run_objects(run, part);
}

RTG_TEST(.id = "MEM-P-FTP", .title = "Footprint",
         .question = "How much memory do the program, the kernel, a thread and each kind of "
                     "object take?",
         .needs = 0, .samples = {8, 16, 32}, .about_ns = 200000, .about_ms = 3,
         .params = {{"part", RTG_CHOICE,
                     "code static kernel thread semaphore named-semaphore mutex queue timer",
                     "code static kernel thread semaphore named-semaphore mutex queue timer",
                     "what takes it; static: data of the program, with and without a value"}},
         .series = {{"", "B", "when the usage is read", "the value: bytes of one",
                     "the only thread", "", RTG_BY_VALUE, ""}},
         .run = run_test);
