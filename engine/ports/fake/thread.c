/* Threads: their making and their end. */
#include "fake.h"

static struct fake_thread threads[FAKE_THREADS];

uint32_t fake_thread_number(const struct fake_thread *thread)
{
    return (uint32_t)(thread - threads);
}
static uint32_t unused[FAKE_THREADS]; /* a stack of indexes, the last given back on top */
static uint32_t unused_count;

/* A wait whose time is over. Only for a sleep is that what was wanted. */
static void timed_out(struct fake_expiry *expiry)
{
    struct fake_thread *thread = expiry->owner;
    struct rtg_mutex *wanted = thread->wants;
    fake_wake(thread, thread->waits_for == FAKE_SLEEP ? RTG_OK : RTG_ETIMEOUT);
    if (wanted)
        fake_restore_priority(wanted->owner, FAULT_MUTEX_KEEPS_BOOST);
}

/* Ticks. */
static uint32_t usual_slice(uint32_t index)
{
    if (fake_has(FAULT_SLICES_UNFAIR) && index % 2 == 0)
        return FAKE_SLICE_TICKS * (uint32_t)fake_k;
    return FAKE_SLICE_TICKS;
}

static void set_up(struct fake_thread *thread, uint32_t index)
{
    *thread =
        (struct fake_thread){.usual_slice = usual_slice(index), .fiber = fake_fiber_of(index)};
    thread->slice = thread->usual_slice;
    if (fake_has(FAULT_SLICE_FIRST_LONG))
        thread->slice *= (uint32_t)fake_k;
    thread->timeout.action = timed_out;
    thread->timeout.owner = thread;
    thread->timeout.wakes = true;
    fake_counts.threads++;
}

bool fake_threads_init(void)
{
    if (!fake_fibers_init())
        return false;
    for (uint32_t i = FAKE_THREADS - 1; i >= 1; i--)
        unused[unused_count++] = i;
    set_up(&threads[0], 0);
    threads[0].state = FAKE_RUNNING;
    threads[0].started = true;
    fake_current = &threads[0];
    return true;
}

static void give_back(struct fake_thread *thread)
{
    fake_fiber_forget(thread->fiber);
    thread->state = FAKE_FREE;
    unused[unused_count++] = (uint32_t)(thread - threads);
    if (!fake_has(FAULT_THREAD_KEEPS_MEMORY) && !fake_every_kth(FAULT_LEAK))
        fake_counts.threads--;
}

static void begin(void)
{
    fake_fiber_arrived();
    fake_current->entry(fake_current->arg);
    fake_compute(fake_costs.terminate);
    fake_current->state = FAKE_ENDED;
    if (fake_current->joiner) {
        fake_wake(fake_current->joiner, RTG_OK);
        fake_compute_masked(fake_costs.wake);
    }
    fake_dispatch(); /* does not return */
}

static int refusal(const struct rtg_thread_spec *spec)
{
    if (!spec->entry || spec->cpu < -1 || spec->cpu >= (int32_t)rtg_cpu_count())
        return RTG_EINVAL;
    if (spec->policy == RTG_DEADLINE)
        return RTG_ENOSUP;
    if (spec->policy > RTG_DEADLINE)
        return RTG_EINVAL;
    if (spec->policy != RTG_NORMAL && spec->level >= rtg_level_count())
        return RTG_EINVAL;
    return spec->stack > FAKE_STACK_BYTES ? RTG_EFULL : RTG_OK;
}

/* Where a created thread goes in the ready queue of its level. */
static enum fake_end end_when_created(void)
{
    return fake_has(FAULT_CREATE_TO_HEAD) ? FAKE_HEAD : FAKE_TAIL;
}

/* It runs where it was told to, or where its creator is. Threads of the first one
 * are the engine's own and stay right. */
static uint32_t cpu_when_created(const struct rtg_thread_spec *spec)
{
    if (fake_has(FAULT_RUNS_ELSEWHERE) && fake_current != &threads[0])
        return 1;
    return spec->cpu < 0 ? fake_current->cpu : (uint32_t)spec->cpu;
}

static enum rtg_policy policy_when_created(enum rtg_policy asked)
{
    return fake_has(FAULT_POLICY_REPLACED) && asked == RTG_RR ? RTG_FIFO : asked;
}

/* A higher one runs at once, any other waits. */
static void settle_with(struct fake_thread *created)
{
    if (fake_has(FAULT_CREATE_HIGHER_WAITS))
        return;
    if (fake_has(FAULT_CREATE_LOWER_RUNS) && created->priority < fake_current->priority)
        fake_favour(created);
    fake_settle();
}

/* A thread that is neither ready nor waits for anything yet. */
static int make(struct rtg_thread *t, const struct rtg_thread_spec *spec)
{
    if (!t || !spec)
        return RTG_EINVAL;
    int refused = refusal(spec);
    if (refused != RTG_OK)
        return refused;
    fake_enter_kernel();
    fake_compute(fake_costs.create);
    if (unused_count == 0)
        return RTG_EFULL;
    uint32_t index = unused[--unused_count];
    struct fake_thread *thread = &threads[index];
    set_up(thread, index);
    thread->entry = spec->entry;
    thread->arg = spec->arg;
    thread->policy = policy_when_created(spec->policy);
    thread->cpu = cpu_when_created(spec);
    thread->base = (uint8_t)(spec->policy == RTG_NORMAL ? 0 : spec->level + 1);
    thread->priority = thread->base;
    fake_fiber_prepare(thread->fiber, begin);
    t->control = thread;
    return RTG_OK;
}

int rtg_thread_create(struct rtg_thread *t, const struct rtg_thread_spec *spec)
{
    int error = make(t, spec);
    if (error != RTG_OK)
        return error;
    fake_make_ready(t->control, end_when_created());
    settle_with(t->control);
    return RTG_OK;
}

int rtg_thread_prepare(struct rtg_thread *t, const struct rtg_thread_spec *spec)
{
    int error = make(t, spec);
    if (error == RTG_OK) {
        t->control->state = FAKE_WAITING;
        t->control->waits_for = FAKE_PREPARED;
    }
    return error;
}

/* Pays for a call on another thread; whether there is one. */
static bool controls(const struct rtg_thread *t)
{
    if (!t || !t->control)
        return false;
    fake_enter_kernel();
    fake_compute(fake_costs.control);
    return true;
}

static int make_go_on(struct rtg_thread *t, enum fake_reason from)
{
    if (!controls(t) || t->control->waits_for != from)
        return RTG_EINVAL;
    fake_wake(t->control, RTG_OK);
    fake_settle();
    return RTG_OK;
}

int rtg_thread_start(struct rtg_thread *t)
{
    return make_go_on(t, FAKE_PREPARED);
}

int rtg_thread_resume(struct rtg_thread *t)
{
    return make_go_on(t, FAKE_SUSPENDED);
}

static void suspend_self(void)
{
    fake_compute(fake_costs.control);
    fake_wait_begin(FAKE_SUSPENDED, NULL, FAKE_NEVER);
    fake_wait();
}

int rtg_thread_suspend(struct rtg_thread *t)
{
    if (!t || t->control == fake_current) {
        suspend_self();
        return RTG_OK;
    }
    if (!controls(t))
        return RTG_EINVAL;
    if (t->control->state != FAKE_READY)
        return RTG_EBUSY;
    fake_unready(t->control);
    t->control->state = FAKE_WAITING;
    t->control->waits_for = FAKE_SUSPENDED;
    fake_settle();
    return RTG_OK;
}

int rtg_thread_join(struct rtg_thread *t)
{
    if (!t || !t->control || t->control->joiner)
        return RTG_EINVAL;
    struct fake_thread *thread = t->control;
    if (thread == fake_current)
        return RTG_EFAIL;
    fake_enter_kernel();
    fake_compute(fake_costs.join);
    if (thread->state != FAKE_ENDED) {
        thread->joiner = fake_current;
        fake_wait_begin(FAKE_JOIN, NULL, FAKE_NEVER);
        fake_wait();
    }
    give_back(thread);
    t->control = NULL;
    return RTG_OK;
}

/* A thread that others depend on stays: one that holds a mutex, one that is
 * being joined. */
static bool can_be_deleted(const struct fake_thread *thread)
{
    if (thread->held || thread->joiner)
        return false;
    return thread->waits_for == FAKE_SEM || thread->waits_for == FAKE_SLEEP ||
           thread->waits_for == FAKE_PARK || thread->waits_for == FAKE_SUSPENDED ||
           thread->waits_for == FAKE_PREPARED;
}

int rtg_thread_delete(struct rtg_thread *t)
{
    if (!t || !t->control || t->control == fake_current)
        return RTG_EINVAL;
    struct fake_thread *thread = t->control;
    fake_enter_kernel();
    fake_compute(fake_costs.deletion);
    if (thread->state != FAKE_ENDED && !can_be_deleted(thread))
        return RTG_EBUSY;
    if (thread->in)
        fake_queue_remove(thread);
    fake_expiry_clear(&thread->timeout);
    give_back(thread);
    t->control = NULL;
    return RTG_OK;
}

int rtg_thread_delete_unstarted(struct rtg_thread *t)
{
    if (!t || !t->control || t->control == fake_current)
        return RTG_EINVAL;
    struct fake_thread *thread = t->control;
    fake_enter_kernel();
    fake_compute(fake_costs.deletion);
    if (thread->started || thread->joiner)
        return RTG_EBUSY;
    fake_unready(thread);
    give_back(thread);
    t->control = NULL;
    return RTG_OK;
}

void rtg_thread_park(void)
{
    fake_compute(fake_costs.park);
    fake_wait_begin(FAKE_PARK, NULL, FAKE_NEVER);
    fake_wait();
}
