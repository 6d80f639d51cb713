/* Queued signals: each runs the handler once, with its value, in the thread that catches. */
#include <stdatomic.h>
#include <stddef.h>

#include "conformance.h"

enum { SIGNALS = 4, PATIENCE_NS = 1000000000 };

/* In memory that a process shares with its creator. */
static struct seen {
    atomic_uint count, ready, over;
    uint32_t values[SIGNALS];
} *seen;

static void note(uint32_t value)
{
    unsigned n = atomic_load(&seen->count);
    if (n < SIGNALS)
        seen->values[n] = value;
    atomic_store(&seen->count, n + 1);
}

static void catch_some(void *unused)
{
    (void)unused;
    CHECK_EQUAL(rtg_signal_catch(note), RTG_OK);
    atomic_store(&seen->ready, 1);
    uint64_t end = rtg_os_now() + PATIENCE_NS;
    while (atomic_load(&seen->over) == 0 && rtg_os_now() < end)
        conf_busy(100000);
    CHECK_EQUAL(rtg_signal_catch(NULL), RTG_OK);
}

static void let_it_begin(void)
{
    uint64_t end = rtg_os_now() + PATIENCE_NS;
    while (atomic_load(&seen->ready) == 0 && rtg_os_now() < end)
        conf_let_others_run();
    CHECK_EQUAL(atomic_load(&seen->ready), 1);
}

/* All were sent while the catcher could not run. */
static void check_all_came(void)
{
    conf_let_others_run();
    CHECK_EQUAL(atomic_load(&seen->count), SIGNALS);
    for (uint32_t i = 0; i < SIGNALS; i++)
        CHECK_EQUAL(seen->values[i], 7 + i / 2); /* also twice the same value */
    atomic_store(&seen->over, 1);
}

static void thread_gets_each(void)
{
    struct rtg_thread t;
    if (!conf_start(&t, 1, catch_some, NULL))
        return;
    let_it_begin();
    for (uint32_t i = 0; i < SIGNALS; i++)
        CHECK_EQUAL(rtg_signal_send(&t, 7 + i / 2), RTG_OK);
    CHECK_EQUAL(atomic_load(&seen->count), 0);
    check_all_came();
    conf_join(&t, 1);
}

static void process_gets_each(void)
{
    struct rtg_process p;
    struct rtg_thread_spec spec = {
        .entry = catch_some, .policy = conf_policy(), .level = conf_level(1), .cpu = conf_cpu()};
    int result = rtg_process_create(&p, &spec);
    if (conf_unsupported("rtg_signal_send_process", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
    let_it_begin();
    for (uint32_t i = 0; i < SIGNALS; i++)
        CHECK_EQUAL(rtg_signal_send_process(&p, 7 + i / 2), RTG_OK);
    CHECK_EQUAL(atomic_load(&seen->count), 0);
    check_all_came();
    CHECK_EQUAL(rtg_process_join(&p), RTG_OK);
}

static void with_catcher(void (*check)(void))
{
    size_t bytes = sizeof *seen;
    if (conf_unsupported("rtg_signal_catch", rtg_signal_catch(NULL)))
        return;
    seen = rtg_shared_get(&bytes);
    if (conf_unsupported("rtg_signal_catch", seen == NULL ? RTG_ENOSUP : RTG_OK))
        return;
    CHECK_EQUAL(bytes, sizeof *seen);
    check();
    rtg_shared_put(seen, bytes);
}

static void to_a_thread(void)
{
    with_catcher(thread_gets_each);
}

static void to_a_process(void)
{
    with_catcher(process_gets_each);
}

const struct conf_check conf_signal_checks[] = {
    {"rtg_signal_catch rtg_signal_send", to_a_thread, CONF_LEVELS},
    {"rtg_signal_send_process", to_a_process, CONF_LEVELS},
    {NULL, NULL, CONF_ANYWHERE},
};
