/*
 * load.h - what a load is and what it may use.
 *
 * A load is work that runs beside the tests, in the normal class, so that their
 * figures can be seen under it. It is one file in engine/loads/, named after the
 * load, which ends in one RTG_LOAD(...) descriptor. Being there registers it. It
 * calls port.h and what stands here, and knows no operating system.
 *
 * `run` is called once for each worker, in a process of its own where the system
 * has processes, else in a thread. It prepares and calibrates itself, calls
 * rtg_load_begins, and works until rtg_load_goes_on says false. What it has done
 * is counted all the time; the core reads the count at the begin and at the end
 * of each test and says whether the load reached its degree meanwhile.
 */
#ifndef RTGAUGE_LOAD_H
#define RTGAUGE_LOAD_H

#include "rtgauge/port.h"

/* Where its workers are, beside what the request says; else it has one worker. */
#define RTG_LOAD_EVERY_CPU 1u  /* one for each CPU that loads may use */
#define RTG_LOAD_OTHER_CPUS 2u /* not on the CPU under test, unless loads run anywhere */

struct rtg_load_worker;

struct rtg_load {
    const char *name;   /* the file's; filled in by RTG_LOAD */
    const char *what;   /* what it does, a phrase */
    const char *degree; /* how much of it, in words */
    const char *unit;   /* what is counted: "ns" of calibrated work, or a plural */
    uint64_t wanted;    /* so many of them each second for each worker; 0: as many as it can */
    uint32_t where;     /* RTG_LOAD_... */
    void (*run)(struct rtg_load_worker *worker);
};

/* The build sets RTG_LOAD_NAME, from which the generated registry makes the symbol. */
#define RTG_LOAD_PASTE_(name) rtg_load_of_##name
#define RTG_LOAD_PASTE(name) RTG_LOAD_PASTE_(name)
#define RTG_LOAD_TEXT_(name) #name
#define RTG_LOAD_TEXT(name) RTG_LOAD_TEXT_(name)
#define RTG_LOAD(...)                                                                              \
    extern const struct rtg_load RTG_LOAD_PASTE(RTG_LOAD_NAME);                                    \
    const struct rtg_load RTG_LOAD_PASTE(RTG_LOAD_NAME) = {.name = RTG_LOAD_TEXT(RTG_LOAD_NAME),   \
                                                           __VA_ARGS__}

/* False once the load is to end. Cheap; asked at least every 100 ms. */
bool rtg_load_goes_on(const struct rtg_load_worker *worker);

/* Ready, and calibrated: the tests may begin. `turn` is how many units come at once;
 * a test may end so many too early to see the whole degree. */
void rtg_load_begins(struct rtg_load_worker *worker, uint64_t turn);

/* Another `units` are done. Any thread of the worker may say so. */
void rtg_load_did(struct rtg_load_worker *worker, uint64_t units);

/* An error of the port has ended the load, and what was done then (static text). Before
 * rtg_load_begins it ends the run, afterwards it becomes part of the results. */
void rtg_load_failed(struct rtg_load_worker *worker, int error, const char *what);

/* The CPU that the worker was put on, -1: any. */
int32_t rtg_load_cpu(const struct rtg_load_worker *worker);

/* One piece of work, some us to a few ms: an error of the port, and in *units how much
 * was done (ignored by rtg_load_bursts, which counts time). */
typedef int (*rtg_load_piece)(void *arg, uint64_t *units);

/* Measures how many pieces take 10 ms, and then does so many of them every 100 ms. A
 * burst that cannot be ended in time makes the next one late; none is made up for.
 * Counts ns of calibrated work: what the same pieces took when they were measured. */
enum rtg_load_time {
    RTG_LOAD_COMPUTES, /* the shortest of several measurements counts: in the others somebody
                        * else had the CPU */
    RTG_LOAD_WAITS     /* for a device: the middle one counts */
};
void rtg_load_bursts(struct rtg_load_worker *worker, rtg_load_piece piece, void *arg,
                     enum rtg_load_time time);
#define RTG_LOAD_BURSTS .unit = "ns", .wanted = 100000000u

/* Does `pieces` of work at once every `period_ns`; late ones are not made up for. */
void rtg_load_paced(struct rtg_load_worker *worker, rtg_load_piece piece, void *arg,
                    uint64_t period_ns, uint32_t pieces);

/* Does piece after piece. */
void rtg_load_endless(struct rtg_load_worker *worker, rtg_load_piece piece, void *arg);

/* The same three with the system's own work (rtg_service_begin ...). */
void rtg_load_service_bursts(struct rtg_load_worker *worker, enum rtg_service_kind kind,
                             enum rtg_load_time time);
void rtg_load_service_paced(struct rtg_load_worker *worker, enum rtg_service_kind kind,
                            uint64_t period_ns, uint32_t pieces);
void rtg_load_service_endless(struct rtg_load_worker *worker, enum rtg_service_kind kind);

#endif
