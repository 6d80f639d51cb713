/* semaphore.h - the forms of a semaphore as parameters of the SEM tests. */
#ifndef RTGAUGE_TESTS_SEMAPHORE_H
#define RTGAUGE_TESTS_SEMAPHORE_H

#include "rtgauge/test.h"

#define PARAM_KIND                                                                                 \
    {"kind", RTG_CHOICE, "counting binary", "counting binary",                                     \
     "counting: any number of releases is kept; binary: one"}
#define PARAM_NAME(sweep)                                                                          \
    {"name", RTG_CHOICE, sweep, "unnamed named", "named: other processes can open it by its name"}

static inline enum rtg_sem_kind kind_of(const struct rtg_run *run)
{
    return rtg_is(run, "kind", "binary") ? RTG_BINARY : RTG_COUNTING;
}

static inline enum rtg_sem_name name_of(const struct rtg_run *run)
{
    return rtg_is(run, "name", "named") ? RTG_NAMED : RTG_UNNAMED;
}

static inline int make_sem(const struct rtg_run *run, struct rtg_sem *sem, uint32_t initial)
{
    return rtg_sem_create(sem, kind_of(run), name_of(run), initial);
}

/* A semaphore by which a scene lets its threads go, whatever form is under test. */
static inline int make_gate(struct rtg_sem *gate)
{
    int error = rtg_sem_create(gate, RTG_COUNTING, RTG_UNNAMED, 0);
    return error == RTG_ENOSUP ? rtg_sem_create(gate, RTG_BINARY, RTG_UNNAMED, 0) : error;
}

/* RTG_OK when the form under test can be made here. */
static inline int try_form(const struct rtg_run *run)
{
    struct rtg_sem sem;
    int error = make_sem(run, &sem, 0);
    return error == RTG_OK ? rtg_sem_destroy(&sem) : error;
}

#endif
