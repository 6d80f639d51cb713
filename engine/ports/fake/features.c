/* What the simulated system offers and is: declared, since it is known. */
#include "fake.h"
#include "rtg_features.h"

static const uint16_t there[] = {
    RTG_POSIX_SINGLE_PROCESS,
    RTG_POSIX_TIMERS,
    RTG_POSIX_MESSAGE_PASSING,
    RTG_POSIX_SEMAPHORES,
    RTG_POSIX_SEMAPHORES_BOTH_KINDS,
    RTG_POSIX_SCHED_FIFO,
    RTG_POSIX_SCHED_RR,
    RTG_POSIX_LEVELS_32,
    RTG_POSIX_THREAD_CONTROL,
    RTG_POSIX_THREAD_ATTRIBUTES,
    RTG_POSIX_THREAD_SCHEDULING,
    RTG_POSIX_MUTEXES,
    RTG_POSIX_MUTEX_INHERITANCE,
    RTG_POSIX_MUTEX_CEILING,
    RTG_POSIX_TIMEOUTS,
    RTG_POSIX_CLOCK_NANOSLEEP,
    RTG_API_COUNTING_SEMAPHORE,
    RTG_API_COUNTING_SEMAPHORE_GET_MAXIMUM_COUNT,
    RTG_API_COUNTING_SEMAPHORE_SET_INITIAL_VALUE,
    RTG_API_COUNTING_SEMAPHORE_WAIT_BLOCKING,
    RTG_API_COUNTING_SEMAPHORE_WAIT_NON_BLOCKING,
    RTG_API_COUNTING_SEMAPHORE_WAIT_TIMEOUT,
    RTG_API_COUNTING_SEMAPHORE_POST,
    RTG_API_COUNTING_SEMAPHORE_GET_VALUE,
};

int rtg_feature(uint32_t feature, const char **how)
{
    *how = "declared: the simulated system has no more than its port needs";
    if (feature == RTG_POSIX_MEMORY_LOCKING || feature == RTG_API_THREAD_LOCK_IN_MEMORY)
        return RTG_EINVAL; /* there is nothing to lock it against */
    if (feature == RTG_API_CLOCK_SET_TIME_OF_DAY)
        return RTG_EFAIL;
    for (unsigned i = 0; i < sizeof there / sizeof *there; i++) {
        if (there[i] == feature)
            return RTG_OK;
    }
    return RTG_ENOSUP;
}

int rtg_trait(enum rtg_trait trait, struct rtg_trait_value *value)
{
    static const struct {
        bool holds;
        uint32_t number;
    } known[RTG_TRAITS] = {
        [RTG_TASK_STATES] = {true, 4}, /* running, ready, waiting, suspended */
        [RTG_HANDLER_CONTEXT] = {true, 0},
    };
    if (trait == RTG_LARGEST_TASKS || trait == RTG_PAGE_SIZE || trait == RTG_LEAST_RAM)
        return RTG_ENOSUP;
    *value = (struct rtg_trait_value){.holds = known[trait].holds,
                                      .number = known[trait].number,
                                      .how = "the simulated system is built so"};
    return RTG_OK;
}
