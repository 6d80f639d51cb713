/* A test of the whole instrument: put before the port when the engine is linked
 * (--wrap), this holds every n-th operation of one kind for a known time and logs
 * which, so that a test can ask whether the host finds exactly these samples.
 *
 *   RTG_KNOWN      <kind>/<n>/<ns>: which operations, every which one, how long
 *                    wake-up  between the end of rtg_sleep_until and its return
 *                    release  before rtg_sem_release
 *                    switch   before rtg_thread_yield
 *   RTG_KNOWN_LOG  the file that the log is written to when the engine ends
 *
 * Operations are counted from 1 after the engine has calibrated its clock. Each
 * hold is stamped on both clocks by itself: its size is what it was made, not what
 * was asked. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

enum { MOST = 16384 };

struct hold {
    uint64_t operation;
    rtg_stamp_t begin, end;    /* by the run's stamp clock */
    uint64_t begin_ns, end_ns; /* by the sleep clock, within the above */
};

static struct {
    char kind[16]; /* "" until it has begun */
    uint64_t every, ns;
    const struct rtg_clock *clock;
    atomic_ulong operations;
    atomic_uint held; /* those beyond MOST were not held, and no number comes of it */
    struct hold hold[MOST];
} known;

const char *__real_rtg_calibrate(struct rtg_clock_facts *facts);
int __real_rtg_sleep_until(uint64_t due_ns);
int __real_rtg_sem_release(struct rtg_sem *s);
void __real_rtg_thread_yield(void);
void __real_rtg_port_exit(int status);
const char *__wrap_rtg_calibrate(struct rtg_clock_facts *facts);
int __wrap_rtg_sleep_until(uint64_t due_ns);
int __wrap_rtg_sem_release(struct rtg_sem *s);
void __wrap_rtg_thread_yield(void);
void __wrap_rtg_port_exit(int status);

/* ---- holding ------------------------------------------------------------ */

static void hold(struct hold *h, uint64_t operation)
{
    h->operation = operation;
    h->begin = known.clock->read();
    h->begin_ns = rtg_os_now();
    do
        h->end_ns = rtg_os_now();
    while (h->end_ns - h->begin_ns < known.ns);
    h->end = known.clock->read();
}

static void count(const char *kind)
{
    if (known.clock == NULL || strcmp(kind, known.kind) != 0)
        return;
    uint64_t operation = atomic_fetch_add(&known.operations, 1) + 1;
    if (operation % known.every != 0)
        return;
    uint32_t at = atomic_fetch_add(&known.held, 1);
    if (at < MOST)
        hold(&known.hold[at], operation);
}

int __wrap_rtg_sleep_until(uint64_t due_ns)
{
    int error = __real_rtg_sleep_until(due_ns);
    count("wake-up");
    return error;
}

int __wrap_rtg_sem_release(struct rtg_sem *s)
{
    count("release");
    return __real_rtg_sem_release(s);
}

void __wrap_rtg_thread_yield(void)
{
    count("switch");
    __real_rtg_thread_yield();
}

/* ---- beginning and end -------------------------------------------------- */

const char *__wrap_rtg_calibrate(struct rtg_clock_facts *facts)
{
    const char *error = __real_rtg_calibrate(facts), *wish = getenv("RTG_KNOWN");
    if (error != NULL || wish == NULL)
        return error;
    if (sscanf(wish, "%15[^/]/%" SCNu64 "/%" SCNu64, known.kind, &known.every, &known.ns) != 3 ||
        known.every == 0)
        return "RTG_KNOWN is not <kind>/<n>/<ns>";
    memset(known.hold, 1, sizeof known.hold); /* touched: no page fault within a sample */
    known.clock = rtg_clocks[facts->index];
    return NULL;
}

static void write_log(FILE *log)
{
    uint32_t held = atomic_load(&known.held), kept = held < MOST ? held : MOST;
    fprintf(log, "{\"clock\": \"%s\", \"operations\": %lu, \"not_held\": %" PRIu32 ", \"holds\": [",
            known.clock->name, atomic_load(&known.operations), held - kept);
    for (uint32_t i = 0; i < kept; i++) {
        const struct hold *h = &known.hold[i];
        fprintf(log, "%s[%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "]",
                i == 0 ? "" : ",\n", h->operation, (uint64_t)h->begin, (uint64_t)h->end,
                h->begin_ns, h->end_ns);
    }
    fprintf(log, "]}\n");
}

void __wrap_rtg_port_exit(int status)
{
    const char *path = getenv("RTG_KNOWN_LOG");
    FILE *log = known.clock != NULL && path != NULL ? fopen(path, "w") : NULL;
    if (log != NULL) {
        write_log(log);
        fclose(log);
    }
    __real_rtg_port_exit(status);
}
