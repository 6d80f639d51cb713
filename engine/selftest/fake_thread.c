/* The life of a thread: create, join, delete, and what each costs. */
#include "fake_test.h"

static struct rtg_sem gate;
static bool began;

static void begin_and_wait(void *arg)
{
    (void)arg;
    began = true;
    rtg_sem_acquire(&gate);
    mark('!'); /* never: it is deleted */
}

static void begin_and_sleep(void *arg)
{
    (void)arg;
    rtg_sleep_for(1000000000000u);
    mark('!');
}

static void begin_and_park(void *arg)
{
    (void)arg;
    rtg_thread_park();
    mark('!');
}

static void creating_a_lower_thread_costs_the_call(void)
{
    struct rtg_thread t;
    settle();
    uint64_t before = now();
    start(&t, LO, mark_arg, "l");
    CHECK_EQUAL(now() - before, fake_costs.create);
    join(&t, 1);
    marks();
}

static void joining_a_thread_to_come(void)
{
    struct rtg_thread t;
    settle();
    start(&t, LO, mark_arg, "l");
    uint64_t before = now();
    join(&t, 1);
    CHECK_EQUAL(now() - before, fake_costs.join + fake_costs.block + fake_costs.switching +
                                    fake_costs.terminate + fake_costs.wake + fake_costs.switching);
    CHECK_EQUAL(rtg_thread_join(&t), RTG_EINVAL);
    marks();
}

static void joining_an_ended_thread(void)
{
    struct rtg_thread t;
    settle();
    start(&t, TOP + 1, mark_arg, "h");
    uint64_t before = now();
    join(&t, 1);
    CHECK_EQUAL(now() - before, fake_costs.join);
    marks();
}

static void delete_waiting(rtg_entry entry)
{
    struct rtg_thread t;
    rtg_sem_create(&gate, RTG_COUNTING, RTG_UNNAMED, 0);
    start(&t, LO, entry, NULL);
    settle();
    uint64_t before = now();
    CHECK_EQUAL(rtg_thread_delete(&t), RTG_OK);
    CHECK_EQUAL(now() - before, fake_costs.deletion);
    rtg_sem_release(&gate);
    settle();
    CHECK_TEXT(marks(), "");
    CHECK_EQUAL(rtg_sem_destroy(&gate), RTG_OK);
}

static void deleting_threads_that_wait(void)
{
    delete_waiting(begin_and_wait);
    delete_waiting(begin_and_sleep);
    delete_waiting(begin_and_park);
}

static void deleting_a_ready_thread_is_refused(void)
{
    struct rtg_thread t;
    start(&t, LO, mark_arg, "l");
    CHECK_EQUAL(rtg_thread_delete(&t), RTG_EBUSY);
    join(&t, 1);
    CHECK_TEXT(marks(), "l");
}

static struct rtg_mutex mutex;

static void hold_and_wait(void *arg)
{
    (void)arg;
    rtg_mutex_lock(&mutex);
    rtg_sem_acquire(&gate);
    rtg_mutex_unlock(&mutex);
}

static void deleting_an_owner_is_refused(void)
{
    struct rtg_thread t;
    struct rtg_mutex_spec spec = {.protocol = RTG_NONE};
    rtg_mutex_create(&mutex, &spec);
    rtg_sem_create(&gate, RTG_COUNTING, RTG_UNNAMED, 0);
    start(&t, TOP + 1, hold_and_wait, NULL);
    CHECK_EQUAL(rtg_thread_delete(&t), RTG_EBUSY);
    rtg_sem_release(&gate);
    join(&t, 1);
    CHECK_EQUAL(rtg_mutex_destroy(&mutex), RTG_OK);
    rtg_sem_destroy(&gate);
}

static void an_unstarted_thread_never_starts(void)
{
    struct rtg_thread t;
    began = false;
    start(&t, LO, begin_and_wait, NULL);
    CHECK_EQUAL(rtg_thread_delete_unstarted(&t), RTG_OK);
    settle();
    CHECK(!began);
}

static void a_started_thread_is_not_unstarted(void)
{
    struct rtg_thread t;
    rtg_sem_create(&gate, RTG_COUNTING, RTG_UNNAMED, 0);
    start(&t, TOP + 1, begin_and_wait, NULL);
    CHECK_EQUAL(rtg_thread_delete_unstarted(&t), RTG_EBUSY);
    CHECK_EQUAL(rtg_thread_delete(&t), RTG_OK);
    rtg_sem_destroy(&gate);
}

static struct rtg_thread many[2048];

static void many_threads(void)
{
    unsigned n = 0;
    struct rtg_thread_spec spec = {.entry = begin_and_park, .policy = RTG_FIFO, .level = LO};
    while (n < 2048 && rtg_thread_create(&many[n], &spec) == RTG_OK)
        n++;
    CHECK_EQUAL(n, 2048 - 2); /* the first thread and this one are there already */
    CHECK_EQUAL(rtg_thread_create(&many[n], &spec), RTG_EFULL);
    settle();
    for (unsigned i = 0; i < n; i++)
        if (rtg_thread_delete(&many[i]) != RTG_OK)
            CHECK(false);
    CHECK_TEXT(marks(), "");
}

static void what_is_refused(void)
{
    struct rtg_thread t;
    struct rtg_thread_spec good = {.entry = begin_and_park, .policy = RTG_FIFO, .level = LO};
    struct rtg_thread_spec spec = good;
    spec.entry = NULL;
    CHECK_EQUAL(rtg_thread_create(&t, &spec), RTG_EINVAL);
    spec = good;
    spec.level = rtg_level_count();
    CHECK_EQUAL(rtg_thread_create(&t, &spec), RTG_EINVAL);
    spec = good;
    spec.cpu = 1;
    CHECK_EQUAL(rtg_thread_create(&t, &spec), RTG_EINVAL);
    spec = good;
    spec.policy = RTG_DEADLINE;
    CHECK_EQUAL(rtg_thread_create(&t, &spec), RTG_ENOSUP);
    spec = good;
    spec.stack = 1u << 30;
    CHECK_EQUAL(rtg_thread_create(&t, &spec), RTG_EFULL);
}

static void usage_is_exact(void)
{
    struct rtg_thread t;
    struct rtg_sem unnamed, named;
    struct rtg_mutex m;
    struct rtg_timer timer;
    struct rtg_usage before, with, after;
    struct rtg_mutex_spec spec = {.protocol = RTG_NONE};
    rtg_usage(&before);
    start(&t, TOP + 1, begin_and_park, NULL);
    rtg_sem_create(&unnamed, RTG_COUNTING, RTG_UNNAMED, 0);
    rtg_sem_create(&named, RTG_BINARY, RTG_NAMED, 0);
    rtg_mutex_create(&m, &spec);
    rtg_timer_create(&timer, now() + 1000000000, 1000000);
    rtg_usage(&with);
    CHECK_EQUAL(with.objects - before.objects, 5);
    CHECK_EQUAL(with.handles - before.handles, 2);
    CHECK_EQUAL(with.bytes - before.bytes, 262144 + 4 * 64);
    rtg_thread_delete(&t);
    rtg_sem_destroy(&unnamed);
    rtg_sem_destroy(&named);
    rtg_mutex_destroy(&m);
    rtg_timer_destroy(&timer);
    rtg_usage(&after);
    CHECK_EQUAL(after.objects, before.objects);
    CHECK_EQUAL(after.handles, before.handles);
    CHECK_EQUAL(after.bytes, before.bytes);
}

void fake_thread_tests(void)
{
    creating_a_lower_thread_costs_the_call();
    joining_a_thread_to_come();
    joining_an_ended_thread();
    deleting_threads_that_wait();
    deleting_a_ready_thread_is_refused();
    deleting_an_owner_is_refused();
    an_unstarted_thread_never_starts();
    a_started_thread_is_not_unstarted();
    many_threads();
    what_is_refused();
    usage_is_exact();
}
