/* task_sets.h - sets of periodic tasks by chance, and what analysis says of them: part of
 * SCD-S-UTL. Whole numbers only, so that anybody can make the same sets from the seed. */
#ifndef RTGAUGE_TESTS_TASK_SETS_H
#define RTGAUGE_TESTS_TASK_SETS_H

#include <stdint.h>

enum { MOST_TASKS = 12, FULL = 1000000, LEAST_WORK_NS = 2000, PERMILLE = 1000, GIVE_UP = 4 };

/* Sorted by period: the first has the highest level. The deadline is the period. */
struct task {
    uint64_t period_ns, work_ns;
};

/* Splitmix64: the same numbers for the same seed everywhere. */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline void sort(uint64_t *value, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        uint64_t moved = value[i];
        uint32_t at = i;
        for (; at > 0 && value[at - 1] > moved; at--)
            value[at] = value[at - 1];
        value[at] = moved;
    }
}

/* Shares of `total` (of FULL), uniform over all ways to divide it, which is what UUniFast
 * draws: the distances of sorted uniform points. */
static inline void divide_load(uint64_t *share, uint32_t n, uint64_t total, uint64_t *state)
{
    uint64_t point[MOST_TASKS];
    for (uint32_t i = 0; i + 1 < n; i++)
        point[i] = next_random(state) % (total + 1);
    point[n - 1] = total;
    sort(point, n);
    for (uint32_t i = 0; i < n; i++)
        share[i] = point[i] - (i > 0 ? point[i - 1] : 0);
}

/* `load` in percent. */
static inline void make_set(struct task *task, uint32_t n, uint32_t load, uint64_t seed)
{
    static const uint8_t periods_ms[] = {2, 3, 4, 5, 6, 8, 10, 12, 15, 20};
    uint64_t period[MOST_TASKS], share[MOST_TASKS], state = seed;
    for (uint32_t i = 0; i < n; i++)
        period[i] = (uint64_t)periods_ms[next_random(&state) % sizeof periods_ms] * 1000000u;
    sort(period, n);
    divide_load(share, n, (uint64_t)load * (FULL / 100), &state);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t work = period[i] * share[i] / FULL;
        task[i].period_ns = period[i];
        task[i].work_ns = work < LEAST_WORK_NS ? LEAST_WORK_NS : work;
    }
}

/* The longest response of task `i` when all are released at once, by iteration; stops
 * beyond GIVE_UP periods. */
static inline uint64_t longest_response(const struct task *task, uint32_t i)
{
    uint64_t response = task[i].work_ns, last = 0;
    while (response != last && response <= GIVE_UP * task[i].period_ns) {
        last = response;
        response = task[i].work_ns;
        for (uint32_t k = 0; k < i; k++)
            response += (last + task[k].period_ns - 1) / task[k].period_ns * task[k].work_ns;
    }
    return response;
}

/* The largest response of the set against its deadline, in thousandths. */
static inline uint64_t bound_of(const struct task *task, uint32_t n)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t share = (longest_response(task, i) * PERMILLE + task[i].period_ns - 1) /
                         task[i].period_ns; /* rounded up: 1000 exactly is in time */
        most = share > most ? share : most;
    }
    return most;
}

#endif
