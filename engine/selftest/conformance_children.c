/* Processes, the memory that they share with their creator, and what works across. */
#include <string.h>

#include "conformance.h"

struct shared {
    struct rtg_sem gate, answer;
    struct rtg_mutex mutex;
    struct rtg_thread_state seen;
    uint32_t number;
    int locked;
};

static struct shared *shared;
static uint32_t own; /* each process has its own */

static struct rtg_thread_spec spec_of(rtg_entry entry)
{
    return (struct rtg_thread_spec){
        .entry = entry, .policy = conf_policy(), .level = conf_level(1), .cpu = conf_cpu()};
}

static bool begin(struct rtg_process *p, rtg_entry entry)
{
    struct rtg_thread_spec spec = spec_of(entry);
    int error = rtg_process_create(p, &spec);
    if (error == RTG_ENOSUP)
        check_skipped("rtg_process_create", "this system has one process");
    else
        CHECK_EQUAL(error, RTG_OK);
    return error == RTG_OK;
}

static void shared_memory_is_empty(void)
{
    size_t bytes = 100000;
    unsigned char *memory = rtg_shared_get(&bytes);
    CHECK((memory != NULL) == (bytes != 0));
    if (memory == NULL) {
        check_skipped("rtg_shared_get", "not supported");
        return;
    }
    unsigned sum = 0;
    for (size_t i = 0; i < bytes; i++)
        sum += memory[i];
    CHECK_EQUAL(sum, 0);
    memset(memory, 0xa5, bytes);
    rtg_shared_put(memory, bytes);
}

static void look_around(void *unused)
{
    (void)unused;
    own = 1;
    shared->number = 42;
    rtg_thread_query(NULL, &shared->seen);
}

static void a_process_has_what_was_asked(void)
{
    struct rtg_process p;
    own = 7;
    if (!begin(&p, look_around))
        return;
    CHECK_EQUAL(rtg_process_join(&p), RTG_OK);
    CHECK_EQUAL(own, 7);
    CHECK_EQUAL(shared->number, 42);
    CHECK_EQUAL(shared->seen.policy, conf_policy());
    CHECK_EQUAL(shared->seen.level, conf_level(1));
}

static void answer_twice(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        rtg_sem_acquire(&shared->gate);
        shared->number++;
        rtg_sem_release(&shared->answer);
    }
}

static void semaphores_work_across(void)
{
    struct rtg_process p;
    shared->number = 0;
    CHECK_EQUAL(rtg_sem_create(&shared->gate, RTG_COUNTING, RTG_SHARED, 0), RTG_OK);
    CHECK_EQUAL(rtg_sem_create(&shared->answer, RTG_COUNTING, RTG_SHARED, 0), RTG_OK);
    if (begin(&p, answer_twice)) {
        for (uint32_t i = 1; i <= 2; i++) {
            CHECK_EQUAL(rtg_sem_release(&shared->gate), RTG_OK);
            CHECK_EQUAL(rtg_sem_acquire(&shared->answer), RTG_OK);
            CHECK_EQUAL(shared->number, i);
        }
        CHECK_EQUAL(rtg_process_join(&p), RTG_OK);
    }
    CHECK_EQUAL(rtg_sem_destroy(&shared->gate), RTG_OK);
    CHECK_EQUAL(rtg_sem_destroy(&shared->answer), RTG_OK);
}

static void ask_for_the_lock(void *unused)
{
    (void)unused;
    shared->locked = rtg_mutex_try(&shared->mutex);
}

static void mutexes_work_across(void)
{
    struct rtg_process p;
    struct rtg_mutex_spec spec = {.kind = RTG_MUTEX, .protocol = RTG_INHERIT, .shared = true};
    CHECK_EQUAL(rtg_mutex_create(&shared->mutex, &spec), RTG_OK);
    CHECK_EQUAL(rtg_mutex_lock(&shared->mutex), RTG_OK);
    if (begin(&p, ask_for_the_lock)) {
        CHECK_EQUAL(rtg_process_join(&p), RTG_OK);
        CHECK_EQUAL(shared->locked, RTG_EBUSY);
    }
    CHECK_EQUAL(rtg_mutex_unlock(&shared->mutex), RTG_OK);
    CHECK_EQUAL(rtg_mutex_destroy(&shared->mutex), RTG_OK);
}

static void wait_for_ever(void *unused)
{
    (void)unused;
    rtg_thread_park();
}

static void a_process_can_be_killed(void)
{
    struct rtg_process p;
    if (begin(&p, wait_for_ever))
        CHECK_EQUAL(rtg_process_kill(&p), RTG_OK);
}

static void leave_by_the_side_door(void *unused)
{
    (void)unused;
    rtg_port_exit(3);
}

static void an_early_end_is_told(void)
{
    struct rtg_process p;
    if (begin(&p, leave_by_the_side_door))
        CHECK_EQUAL(rtg_process_join(&p), RTG_EFAIL);
}

static void a_level_out_of_range_is_refused(void)
{
    struct rtg_process p;
    struct rtg_thread_spec spec = spec_of(look_around);
    spec.level = rtg_level_count();
    int error = rtg_process_create(&p, &spec);
    CHECK(error == RTG_EINVAL || error == RTG_ENOSUP);
}

static void with_shared_memory(void)
{
    static void (*const checks[])(void) = {
        a_process_has_what_was_asked, semaphores_work_across, mutexes_work_across,
        a_process_can_be_killed,      an_early_end_is_told,   a_level_out_of_range_is_refused};
    size_t bytes = sizeof *shared;
    shared = rtg_shared_get(&bytes);
    if (shared == NULL)
        return;
    CHECK_EQUAL(bytes, sizeof *shared);
    for (unsigned i = 0; i < sizeof checks / sizeof *checks; i++)
        checks[i]();
    rtg_shared_put(shared, bytes);
}

const struct conf_check conf_children_checks[] = {
    {"rtg_shared_get rtg_shared_put", shared_memory_is_empty, CONF_ANYWHERE},
    {"rtg_process_create rtg_process_join rtg_process_kill", with_shared_memory, CONF_LEVELS},
    {NULL, NULL, CONF_ANYWHERE},
};
