/* THR-B-NEW: when a created thread runs, and where it is put among its equals. */
#include <stdatomic.h>

#include "common/roles.h"

enum { ROUNDS = 5, EQUALS = 3, SPIN_NS = 3000000, NAME = 80 };

/* A thread that only says, by its number, when it ran. */
struct actor {
    struct rtg_thread thread;
    atomic_uint ticket; /* 0: has not run */
};

static struct stage {
    struct rtg_run *run;
    struct actor actor[EQUALS];
    atomic_uint tickets;
    struct rtg_sem begun;
    bool self;
    uint32_t call;
    int error; /* of lowering */
} stage;

static void say(void *arg)
{
    struct actor *me = arg;
    atomic_store(&me->ticket, atomic_fetch_add(&stage.tickets, 1) + 1);
}

static bool enter(struct actor *actor, enum rtg_policy policy, uint32_t level, rtg_entry entry)
{
    struct rtg_thread_spec spec = {
        .entry = entry, .arg = actor, .policy = policy, .level = level, .cpu = rtg_test_cpu()};
    atomic_store(&actor->ticket, 0);
    return rtg_spawn_as(stage.run, &actor->thread, &spec);
}

static bool ran(struct actor *actor)
{
    return atomic_load(&actor->ticket) != 0;
}

/* ---- when it runs ------------------------------------------------------- */

/* Whether the created thread had run at four moments of its creator's life. */
struct seen {
    bool at_return, meanwhile, after_yield, after_stop;
};

/* The creator is at MID and creates one thread of the given level. */
static bool create_one(struct rtg_run *run, uint32_t level, struct seen *seen)
{
    struct actor *actor = &stage.actor[0];
    rtg_self_level(run, rtg_role_level(RTG_MID));
    bool made = enter(actor, RTG_FIFO, level, say);
    if (made) {
        seen->at_return = ran(actor);
        rtg_spin(SPIN_NS); /* ticks give the scheduler every chance */
        seen->meanwhile = ran(actor);
        rtg_thread_yield();
        seen->after_yield = ran(actor);
        rtg_thread_join(&actor->thread);
        seen->after_stop = ran(actor);
    }
    rtg_self_level(run, rtg_role_level(RTG_TOP));
    return made;
}

static bool waits_for_stop(struct seen s)
{
    return !s.at_return && !s.meanwhile && !s.after_yield && s.after_stop;
}

static bool waits_for_yield(struct seen s)
{
    return !s.at_return && !s.meanwhile && s.after_yield;
}

static bool runs_at_once(struct seen s)
{
    return s.at_return;
}

/* The property in its own set-up, and in the two where it must not show. A
 * property has to hold in every round; a control must not in any. */
static void judge(struct rtg_run *run, struct seen seen[RTG_HI + 1][ROUNDS], enum rtg_role own,
                  bool (*holds)(struct seen), const char *const name[RTG_HI + 1], const char *what)
{
    for (unsigned partner = RTG_LO; partner <= RTG_HI; partner++) {
        bool all = true, any = false;
        for (int round = 0; round < ROUNDS; round++) {
            all = all && holds(seen[partner][round]);
            any = any || holds(seen[partner][round]);
        }
        bool property = partner == (unsigned)own;
        rtg_check(run, property ? RTG_PROPERTY : RTG_CONTROL, name[partner], property ? all : any,
                  what);
    }
}

static bool check_when(struct rtg_run *run)
{
    struct seen seen[RTG_HI + 1][ROUNDS];
    for (unsigned partner = RTG_LO; partner <= RTG_HI; partner++) {
        for (int round = 0; round < ROUNDS; round++) {
            if (!create_one(run, rtg_role_level((enum rtg_role)partner), &seen[partner][round]))
                return false;
        }
    }
    judge(run, seen, RTG_LO, waits_for_stop,
          (const char *const[]){"lower", "lower-with-equal", "lower-with-higher"},
          "A created thread does not run until its creator stops, neither by itself nor at a "
          "yield.");
    judge(run, seen, RTG_MID, waits_for_yield,
          (const char *const[]){"yield-with-lower", "yield", "yield-with-higher"},
          "A created thread does not run by itself, and runs when its creator yields.");
    judge(run, seen, RTG_HI, runs_at_once,
          (const char *const[]){"higher-with-lower", "higher-with-equal", "higher"},
          "A created thread runs before its creator goes on.");
    return true;
}

/* ---- where it is put ---------------------------------------------------- */

/* Two threads of the creator's level are ready; a third is created and one yield
 * lets them run. Whether the third came last. */
static bool comes_last(struct rtg_run *run, enum rtg_role third, bool *last)
{
    uint32_t made = 0;
    rtg_self_level(run, rtg_role_level(RTG_MID));
    atomic_store(&stage.tickets, 0);
    while (made < EQUALS && enter(&stage.actor[made], RTG_FIFO,
                                  rtg_role_level(made < EQUALS - 1 ? RTG_MID : third), say))
        made++;
    rtg_thread_yield();
    *last = made == EQUALS;
    for (uint32_t i = 0; i < made; i++)
        *last = *last && atomic_load(&stage.actor[i].ticket) == i + 1;
    for (uint32_t i = 0; i < made; i++)
        rtg_thread_join(&stage.actor[i].thread);
    rtg_self_level(run, rtg_role_level(RTG_TOP));
    return made == EQUALS;
}

static bool check_where(struct rtg_run *run)
{
    bool all = true, any = false, last;
    for (int round = 0; round < ROUNDS; round++) {
        if (!comes_last(run, RTG_MID, &last))
            return false;
        all = all && last;
        if (!comes_last(run, RTG_HI, &last))
            return false;
        any = any || last;
    }
    const char *what = "A created thread runs after the threads that were ready before, in order.";
    rtg_check(run, RTG_PROPERTY, "equal", all, what);
    rtg_check(run, RTG_CONTROL, "equal-with-higher", any, what);
    return true;
}

/* ---- where a lowered thread lands --------------------------------------- */

static void be_lowered(void *arg)
{
    if (stage.self)
        stage.error = rtg_thread_set_level(NULL, rtg_role_level(RTG_MID), stage.call);
    else
        rtg_sem_release(&stage.begun); /* the test's own thread lowers this one now */
    say(arg);
}

/* A thread goes down from HI to MID, where another is ready: which one runs
 * first? False when it could not be found out. */
static bool lands_at_tail(struct rtg_run *run, enum rtg_policy policy, bool *tail)
{
    struct actor *resident = &stage.actor[0], *lowered = &stage.actor[1];
    struct rtg_thread_state state;
    stage.error = RTG_OK;
    if (!enter(resident, policy, rtg_role_level(RTG_MID), say))
        return false;
    bool both = enter(lowered, policy, rtg_role_level(RTG_HI), be_lowered);
    if (both && !stage.self) {
        rtg_sem_acquire(&stage.begun);
        stage.error = rtg_thread_set_level(&lowered->thread, rtg_role_level(RTG_MID), stage.call);
        if (rtg_thread_query(&lowered->thread, &state) == RTG_OK && stage.error == RTG_OK &&
            state.level != (int32_t)rtg_role_level(RTG_MID))
            rtg_broken(run, "a thread was not lowered although the call said so");
    }
    rtg_thread_join(&resident->thread);
    if (both)
        rtg_thread_join(&lowered->thread);
    *tail = atomic_load(&resident->ticket) < atomic_load(&lowered->ticket);
    return both && stage.error == RTG_OK;
}

static void join_words(char *to, size_t size, const char *const *words)
{
    size_t used = 0;
    for (; *words != NULL; words++) {
        for (const char *from = *words; *from != 0 && used + 1 < size; from++)
            to[used++] = *from;
    }
    to[used] = 0;
}

static void report_lowered(struct rtg_run *run, enum rtg_policy policy)
{
    char name[NAME];
    bool tail;
    if (!rtg_has_policy(run, policy))
        return;
    join_words(name, sizeof name,
               (const char *const[]){"lowered-", stage.self ? "self-" : "other-",
                                     policy == RTG_RR ? "rr-" : "fifo-",
                                     rtg_set_level_call_name(stage.call), NULL});
    if (lands_at_tail(run, policy, &tail))
        rtg_check(run, RTG_REPORT, name, tail,
                  "A lowered thread lands at the tail of its new level's queue (else the head).");
    else
        rtg_unchecked(run, name, "the call failed, or a thread could not be created");
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    stage = (struct stage){.run = run};
    int error = rtg_sem_create(&stage.begun, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error != RTG_OK)
        return rtg_error(run, error, "rtg_sem_create");
    bool made = check_when(run) && check_where(run);
    for (stage.call = 0; made && stage.call < rtg_set_level_calls(); stage.call++) {
        for (unsigned i = 0; i < 4; i++) {
            stage.self = i / 2 == 0;
            report_lowered(run, i % 2 == 0 ? RTG_FIFO : RTG_RR);
        }
    }
    rtg_sem_destroy(&stage.begun);
    return made ? RTG_DONE : rtg_reason(run, RTG_INVALID, "a thread could not be created");
}

RTG_TEST(.id = "THR-B-NEW", .title = "Creation behaviour",
         .question = "Does a created thread run when its priority says so, and queue behind its "
                     "equals?",
         .needs = RTG_NEEDS_REALTIME, .samples = {1, 1, 1}, .about_ms = 100, .run = run_test);
