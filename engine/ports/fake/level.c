/* A thread's own level: changing it, and asking for it. */
#include "fake.h"

enum { AS_SETSCHEDPARAM, AS_SETSCHEDPRIO, CALLS };

uint32_t rtg_set_level_calls(void)
{
    return CALLS;
}

const char *rtg_set_level_call_name(uint32_t call)
{
    if (call >= CALLS)
        return NULL;
    return call == AS_SETSCHEDPARAM ? "fake_setschedparam" : "fake_setschedprio";
}

/* Where a thread goes in the ready queue of the lower level that it is given.
 * The raised one goes to the tail under both calls; a thread that is given the
 * level it has keeps its place. */
static enum fake_end end_when_lowered(uint32_t call)
{
    bool head = call == AS_SETSCHEDPRIO;
    return head != fake_has(FAULT_LOWERED_OTHER_END) ? FAKE_HEAD : FAKE_TAIL;
}

static void put_in_force(struct fake_thread *thread, uint8_t base, enum fake_end end)
{
    uint8_t before = thread->priority;
    thread->base = base;
    fake_refresh_priority(thread, end);
    if (thread == fake_current && thread->priority < before)
        fake_place_caller(end);
    else
        fake_settle();
}

int rtg_thread_set_level(struct rtg_thread *t, uint32_t level, uint32_t call)
{
    if ((t && !t->control) || call >= CALLS || level >= rtg_level_count())
        return RTG_EINVAL;
    struct fake_thread *thread = t ? t->control : fake_current;
    fake_enter_kernel();
    fake_compute(fake_costs.set_level);
    if (thread->policy == RTG_NORMAL || thread->state == FAKE_ENDED)
        return RTG_EINVAL;
    if (fake_has(FAULT_LEVEL_CALL_NOTHING))
        return RTG_OK;
    put_in_force(thread, (uint8_t)(level + 1), end_when_lowered(call));
    return RTG_OK;
}

/* The level is the one that was asked for last: as POSIX has it, what mutexes
 * lend is not shown. */
int rtg_thread_query(struct rtg_thread *t, struct rtg_thread_state *state)
{
    if ((t && !t->control) || !state)
        return RTG_EINVAL;
    const struct fake_thread *thread = t ? t->control : fake_current;
    fake_compute(fake_costs.query);
    state->policy = thread->policy;
    state->level = thread->policy == RTG_NORMAL ? -1 : (int32_t)thread->base - 1;
    state->cpu = (int32_t)thread->cpu;
    state->involuntary = t ? 0 : thread->involuntary;
    state->faults = 0;
    return RTG_OK;
}
