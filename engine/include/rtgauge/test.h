/*
 * test.h - what a test is and what it may use.
 *
 * A test is one file in engine/tests/, named after its id (thr_p_sls.c for
 * THR-P-SLS), which ends in one RTG_TEST(...) descriptor. Being there registers
 * it. A test knows neither the operating system nor the clock: it calls port.h,
 * the helpers below and rtg_stamp_start / rtg_stamp_stop.
 *
 * The timed path of a test is: rtg_stamp_start, the operation, rtg_stamp_stop,
 * rtg_record. Nothing else stands between the stamps.
 */
#ifndef RTGAUGE_TEST_H
#define RTGAUGE_TEST_H

#include "rtgauge/clock.h"
#include "rtgauge/port.h"

#ifdef RTG_CLOCK_HEADER /* set for files in tests/ only: rtg_stamp_start, rtg_stamp_stop */
#include RTG_CLOCK_HEADER
#endif

/* ---- the descriptor ---------------------------------------------------- */

#define RTG_MAX_SERIES 6
#define RTG_MAX_PARAMS 6

/* A test ends with one of these. A behaviour test returns RTG_DONE: pass or
 * fail follows from its checks. */
enum rtg_outcome {
    RTG_DONE,
    RTG_NOT_SUPPORTED, /* the OS has no such thing; say which in rtg_reason */
    RTG_NOT_PERMITTED, /* it has, but a privilege is missing */
    RTG_INVALID,       /* a premise does not hold: no number may come of it */
    RTG_INCONCLUSIVE
};

enum rtg_param_kind {
    RTG_CHOICE,  /* one of `legal`, a word */
    RTG_NUMBER,  /* `legal` is "min..max" */
    RTG_DURATION /* `legal` is "min..max" with units; the test sees ns */
};

/* One parameter of a test. The host runs every combination of `sweep`; the
 * user may name any legal value instead. */
struct rtg_param {
    const char *name;
    enum rtg_param_kind kind;
    const char *sweep; /* values run by default, separated by spaces */
    const char *legal; /* choices separated by spaces, or "min..max" */
    const char *what;  /* one phrase */
};

enum rtg_stamp_source {
    RTG_BY_STAMP, /* start and stop are two reads of the stamp clock; overhead is subtracted */
    RTG_BY_OS,    /* ns of the port's sleep clock (rtg_os_now); nothing is subtracted */
    RTG_BY_VALUE, /* start is a stamp (when), stop is the value itself in `unit` */
    RTG_BY_HOST   /* nothing is recorded: the host computes it from the other series, as
                   * `analyse` says: "half:A less:B" is half of each of A minus B's median */
};

/* One stream of samples of a test. */
struct rtg_series {
    const char *name;   /* `part` in the results; "" when it is the only one */
    const char *unit;   /* "ns" for BY_STAMP and BY_OS; any for BY_VALUE, e.g. "B" */
    const char *start;  /* exactly where the start stamp is, a phrase */
    const char *stop;   /* exactly where the stop stamp is */
    const char *thread; /* which thread takes them */
    const char *aux;    /* what the small number means: "cpu", "waiters", ...; "" unused */
    enum rtg_stamp_source source;
    const char *analyse; /* analyses of the host by name, separated by spaces, or "" */
};

#define RTG_NEEDS_REALTIME 1u /* threads must be given levels; else not-permitted */
#define RTG_NEEDS_TWO_CPUS 2u
#define RTG_NEEDS_CACHES 4u /* no meaning in virtual time */
#define RTG_NEEDS_FILES 16u /* works in the folder that the host gives */
#define RTG_TURN_BY_TURN 8u /* before each sample stands rtg_next or rtg_dirty */
/* Round robin among equals; where a system has that or FIFO, fixed when it is built, the host
 * runs the test by an image that has it. A parameter policy=rr says the same of one job. */
#define RTG_NEEDS_SLICING 32u

struct rtg_run;

struct rtg_test {
    const char *id;       /* [A-Z]+-[BPS]-[A-Z]+ */
    const char *title;    /* a few words */
    const char *question; /* one sentence that ends in a question mark */
    const char *clock;    /* filled in by RTG_TEST */
    uint32_t needs;       /* RTG_NEEDS_... */
    uint32_t samples[3];  /* wanted in each series: quick, standard, full profile */
    uint32_t about_ns;    /* what one sample takes with all around it, roughly */
    uint32_t about_ms;    /* what one run takes beside the samples, roughly */
    struct rtg_param params[RTG_MAX_PARAMS];  /* ended by a zero entry */
    struct rtg_series series[RTG_MAX_SERIES]; /* ended by a zero entry */
    enum rtg_outcome (*run)(struct rtg_run *run);
};

/* Defines the descriptor under a name that is its own for each clock; the build
 * sets RTG_TEST_NAME (the file's name) and RTG_CLOCK (the clock's), from which
 * the generated registry makes the same symbol. */
#define RTG_PASTE_(test, clock) rtg_test_##test##_##clock
#define RTG_PASTE(test, clock) RTG_PASTE_(test, clock)
#define RTG_TEXT_(name) #name
#define RTG_TEXT(name) RTG_TEXT_(name)
#ifndef RTG_TEST_SYMBOL
#define RTG_TEST_SYMBOL RTG_PASTE(RTG_TEST_NAME, RTG_CLOCK)
#define RTG_CLOCK_NAME RTG_TEXT(RTG_CLOCK)
#endif
#define RTG_TEST(...)                                                                              \
    extern const struct rtg_test RTG_TEST_SYMBOL;                                                  \
    const struct rtg_test RTG_TEST_SYMBOL = {.clock = RTG_CLOCK_NAME, __VA_ARGS__}

/* ---- recording --------------------------------------------------------- */

/* The samples of one series. Memory is touched before the test begins. */
struct rtg_buffer {
    rtg_stamp_t *start;
    rtg_stamp_t *stop;
    uint16_t *aux;
    uint32_t count;
    uint32_t capacity;
    uint32_t dropped; /* samples that found no room: reaches the report */
};

struct rtg_run {
    struct rtg_buffer series[RTG_MAX_SERIES];
    const struct rtg_test *test;
    void *core; /* the core's own state of this run */
};

/* Stores one sample. One thread at a time for each buffer. */
static inline void rtg_record_in(struct rtg_buffer *b, rtg_stamp_t start, rtg_stamp_t stop,
                                 uint16_t aux)
{
    uint32_t i = b->count;
    if (i < b->capacity) {
        b->start[i] = start;
        b->stop[i] = stop;
        b->aux[i] = aux;
        b->count = i + 1;
    } else {
        b->dropped++;
    }
}

static inline void rtg_record(struct rtg_run *run, unsigned series, rtg_stamp_t start,
                              rtg_stamp_t stop, uint16_t aux)
{
    rtg_record_in(&run->series[series], start, stop, aux);
}

/* For threads that record at the same time: rtg_split divides the room of a
 * series, which must be empty, among `n` buffers; rtg_merge puts what they hold
 * back, one after the other, and adds up their drops. */
void rtg_split(struct rtg_run *run, unsigned series, struct rtg_buffer *parts, uint32_t n);
void rtg_merge(struct rtg_run *run, unsigned series, struct rtg_buffer *parts, uint32_t n);

/* For such a thread, between two samples: empties its part when that is full, when its
 * figures are due, or when the next sample will not follow the last one (`gap`). True when
 * the thread has paused. */
bool rtg_make_room(struct rtg_run *run, unsigned series, struct rtg_buffer *part, bool gap);

/* Around the recording by such a thread: the live view follows what it records. */
void rtg_show_part(struct rtg_run *run, unsigned series, const struct rtg_buffer *part);
void rtg_hide_part(struct rtg_run *run, const struct rtg_buffer *part);

/* How often a part began or ended to be emptied: odd while that is done. What another
 * thread of the test saw of it is the engine's own doing. */
uint32_t rtg_pauses(const struct rtg_run *run);

/* The one iteration loop: `while (rtg_next(run)) { ... }`. Ends when each series
 * has its samples, when the user or a limit says stop, or after rtg_fail. It is
 * also where the cache is dirtied, the watchdog fed and full buffers are drained
 * (the next sample is then flagged). Call it from one thread, never between
 * stamps. `rtg_per_iteration` says, before the loop, how many samples one turn
 * adds to its fullest series (1 unless said). */
bool rtg_next(struct rtg_run *run);
void rtg_per_iteration(struct rtg_run *run, uint32_t samples);

/* Before each further sample of one turn: dirties the caches again when the request
 * says so, as rtg_next does for the first; else nothing. Never between stamps. */
void rtg_dirty(const struct rtg_run *run);

/* Between turns, while every other thread of the test is blocked or may run: when the
 * test has kept the CPU for long, everybody else gets it for a moment, so that the
 * system does not take it by force within a sample. */
void rtg_breathe(struct rtg_run *run);

/* Samples wanted in each series, for tests whose measured threads loop on their
 * own; they end early when rtg_halted(run) is true. */
uint32_t rtg_samples(const struct rtg_run *run);
bool rtg_halted(const struct rtg_run *run);

/* For threads that loop on their own, between two samples: whether to go on. False when
 * rtg_halted is, or when the newest sample in `b`, which goes into `series`, ends the test. */
bool rtg_go_on(struct rtg_run *run, unsigned series, const struct rtg_buffer *b);

/* A time of the sleep clock, within or near this test, in stamps. */
rtg_stamp_t rtg_stamp_at(const struct rtg_run *run, uint64_t ns);

/* The clock of this test's stamps: what it says of width and direction is needed by
 * tests that look at a distance themselves. */
const struct rtg_clock *rtg_clock_of(const struct rtg_run *run);

/* ---- parameters -------------------------------------------------------- */

/* Values were checked against the descriptor before the test began. */
uint64_t rtg_number(const struct rtg_run *run, const char *name); /* also durations, in ns */
bool rtg_is(const struct rtg_run *run, const char *name, const char *choice);

/* ---- levels and CPUs --------------------------------------------------- */

/* The four levels of the tests, spread over what the port has and the user
 * allows: RTG_LO < RTG_MID < RTG_HI < RTG_TOP. The test's own code begins at
 * RTG_TOP, so it sets a scene before anybody moves. */
enum rtg_role { RTG_LO, RTG_MID, RTG_HI, RTG_TOP };
uint32_t rtg_role_level(enum rtg_role role);

/* The i-th of n levels spread evenly from RTG_LO up to below RTG_TOP; several i
 * share a level where the port has fewer. */
uint32_t rtg_spread_level(uint32_t i, uint32_t n);

int32_t rtg_test_cpu(void); /* the CPU under test */

/* ---- threads of a test ------------------------------------------------- */

/* Whether threads can have the policy RTG_FIFO or RTG_RR here, found by trying. Some systems
 * have one of them only: rtg_spawn and the test's own thread then take that one for FIFO. */
bool rtg_has_policy(const struct rtg_run *run, enum rtg_policy policy);

/* Starts a thread on the CPU under test under RTG_FIFO and reads back, from
 * within the thread and before its entry runs, what the system gave it. When
 * that differs from what was asked, the premise is broken (rtg_broken).
 * Returns false, with the reason noted, when it could not be created. */
bool rtg_spawn(struct rtg_run *run, struct rtg_thread *t, uint32_t level, rtg_entry entry,
               void *arg);
bool rtg_spawn_as(struct rtg_run *run, struct rtg_thread *t, const struct rtg_thread_spec *spec);

/* The same for a process: its properties are read back within it, and what it breaks
 * or watches counts as if a thread had. In it the functions of evidence must not be
 * called, and rtg_record reaches nobody: it fills an rtg_buffer in shared memory. */
bool rtg_spawn_process(struct rtg_run *run, struct rtg_process *p,
                       const struct rtg_thread_spec *spec);

/* A buffer for `n` samples in memory that processes share; NULL when there is not enough.
 * rtg_shared_take records what is in it as series `series`, and empties it. */
struct rtg_buffer *rtg_shared_buffer(uint32_t n);
void rtg_shared_take(struct rtg_run *run, unsigned series, struct rtg_buffer *shared);
void rtg_shared_free(struct rtg_buffer *shared);

/* How a test ends whose thread rtg_spawn could not create: not permitted, not
 * supported or invalid, as the system said. */
enum rtg_outcome rtg_unspawned(const struct rtg_run *run);

/* Changes the caller's own level by the usual call and reads it back. */
void rtg_self_level(struct rtg_run *run, uint32_t level);

/* Brackets the sampling of the measured thread: its involuntary switches, page
 * faults and change of CPU in between become evidence of the result. */
void rtg_watch_begin(struct rtg_run *run, struct rtg_thread_state *before);
void rtg_watch_end(struct rtg_run *run, const struct rtg_thread_state *before);

/* Spins for about `ns` of the sleep clock; for work of the test, not for timing. */
void rtg_spin(uint64_t ns);

/* A loop of exactly `rounds` turns of integer work without memory access. A
 * port in virtual time defines RTG_PORT_HAS_WORK and brings its own. */
void rtg_work(uint32_t rounds);
/* Rounds of rtg_work that take about `ns` when nothing disturbs (smallest of
 * several tries). At least 1. */
uint32_t rtg_work_rounds(uint64_t ns);

/* Memory beside the samples, touched and locked: at most *bytes are asked for,
 * *bytes receives what was got. One at a time; the core takes it back after the
 * test. NULL when there is none. */
void *rtg_scratch(struct rtg_run *run, size_t *bytes);

/* ---- evidence and verdicts --------------------------------------------- */

/* The functions of this part, but for rtg_broken, are called from the test's own
 * thread only (they write the trace), and not while samples are being taken.
 *
 * Ends a test early: `return rtg_reason(run, RTG_NOT_SUPPORTED, "...")`. The
 * first reason stands. */
enum rtg_outcome rtg_reason(struct rtg_run *run, enum rtg_outcome outcome, const char *why);

/* Outcome and reason that fit an error of the port, naming the call. */
enum rtg_outcome rtg_error(struct rtg_run *run, int error, const char *call);

/* A premise of the test does not hold: the result becomes invalid. Any thread
 * of the test may say so; the first reason stands. */
void rtg_broken(struct rtg_run *run, const char *why);

/* One check of a behaviour test.
 *   RTG_PROPERTY  must hold, else the test fails
 *   RTG_CONTROL   the negative control: must NOT hold, else the test is invalid
 *   RTG_REPORT    reported, judged by nobody
 * `name` is a short slug, `what` one sentence that states the property. */
enum rtg_check_role { RTG_PROPERTY, RTG_CONTROL, RTG_REPORT };
void rtg_check(struct rtg_run *run, enum rtg_check_role role, const char *name, bool holds,
               const char *what);

/* A check that could not be made, with the reason. */
void rtg_unchecked(struct rtg_run *run, const char *name, const char *why);

/* One line of evidence: a number with its unit ("" for a count), or a text. */
void rtg_evidence(struct rtg_run *run, const char *name, int64_t value, const char *unit);
void rtg_evidence_text(struct rtg_run *run, const char *name, const char *text);

/* The same of a count of involuntary switches, on systems that count them. */
void rtg_evidence_switches(struct rtg_run *run, const char *name, int64_t value);

/* What recording the system's own events adds to a wake-up and the switch back, where a
 * test has them recorded for itself. */
void rtg_evidence_tracing(struct rtg_run *run);

/* Notes, for `op`, whether it enters the kernel and how that was found. */
void rtg_evidence_kernel(struct rtg_run *run, const char *name, void (*op)(void *), void *arg);

#endif
