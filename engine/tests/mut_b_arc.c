/* MUT-B-ARC: does a lock avoid priority inversion? Every property is checked in
 * its own set-up and, as the negative control, in one where it must not show. */
#include "common/arc_scene.h"

static struct arc_scene scene;

/* ---- what the order of events says -------------------------------------- */

static bool mid_waits(struct arc_scene *s)
{
    return arc_ordered(s, LO_RELEASES, MID_RUNS) && arc_ordered(s, HI_ENDS, MID_RUNS);
}

static bool mid_overtakes(struct arc_scene *s)
{
    return arc_ordered(s, HI_ASKS, MID_RUNS) && arc_ordered(s, MID_RUNS, LO_RELEASES);
}

static bool lo_steps_back(struct arc_scene *s)
{
    return arc_ordered(s, MID_RUNS, LO_GOES_ON);
}

static bool hi_ends_first(struct arc_scene *s)
{
    return arc_ordered(s, HI_ENDS, MID_RUNS);
}

static bool limit_kept(struct arc_scene *s)
{
    return s->hi_error == RTG_ETIMEOUT && arc_ordered(s, HI_ENDS, LO_RELEASES);
}

/* Without a limit nothing ends by one. */
static bool limit_awaited(struct arc_scene *s)
{
    return s->hi_error == RTG_ETIMEOUT && !s->hi_early;
}

static bool boost_ends(struct arc_scene *s)
{
    return s->hi_error == RTG_ETIMEOUT && arc_ordered(s, HI_ENDS, MID_RUNS) &&
           arc_ordered(s, MID_RUNS, LO_RELEASES);
}

/* ---- premises ----------------------------------------------------------- */

static bool contended(struct arc_scene *s)
{
    return arc_ordered(s, LO_HOLDS, HI_ASKS) && arc_ordered(s, HI_ASKS, LO_RELEASES) &&
           (s->hi_error == RTG_OK || s->hi_error == RTG_ETIMEOUT);
}

static bool chained(struct arc_scene *s)
{
    return contended(s) && arc_ordered(s, LO_HOLDS, LINK_ASKS) &&
           arc_ordered(s, LINK_ASKS, HI_ASKS);
}

static bool placed(struct arc_scene *s)
{
    return arc_ordered(s, LO_HOLDS, LO_RELEASES) && s->at[HI_ENDS] != 0 && s->at[MID_RUNS] != 0;
}

/* ---- the checks --------------------------------------------------------- */

/* One set-up and what must, or must not, be seen in it. */
struct trial {
    enum rtg_check_role role;
    const char *name;
    enum arc_play play;
    const struct rtg_mutex_spec *spec; /* NULL: a semaphore as the lock */
    enum rtg_role lo;
    bool (*premise)(struct arc_scene *);
    bool (*holds)(struct arc_scene *);
    const char *what;
};

/* A property has to hold in every round, a control must not in any. Several rounds, the
 * samples, are for systems where something else may come in between; the first one sees
 * each property and its control. */
static void try_out(struct rtg_run *run, const struct trial *t)
{
    bool all = true, any = false;
    for (uint32_t round = rtg_samples(run); round-- != 0;) {
        if (rtg_halted(run)) {
            rtg_unchecked(run, t->name, "the run was stopped");
            return;
        }
        int error = arc_play(&scene, t->play, t->spec, rtg_role_level(t->lo));
        if (error == RTG_OK && t->play >= ARC_TIMED && scene.hi_error == RTG_ENOSUP)
            error = RTG_ENOSUP;
        if (error != RTG_OK) {
            rtg_unchecked(run, t->name,
                          error == RTG_ENOSUP ? "this system has no such call"
                                              : "a lock or a thread could not be created");
            return;
        }
        if (!t->premise(&scene)) {
            rtg_broken(run, "the threads did not meet at the lock in the order that was set up");
            return;
        }
        all = all && t->holds(&scene);
        any = any || t->holds(&scene);
    }
    rtg_check(run, t->role, t->name, t->role == RTG_CONTROL ? any : all, t->what);
}

static const char waits[] = "MID does not run before LO has released the lock and HI has finished.";
static const char steps_back[] = "After its release LO runs at its own priority, so after MID.";
static const char in_chain[] = "HI waits for a lock whose owner waits for LO; MID does not run "
                               "before HI has finished.";
static const char in_time[] = "While HI waits with a time limit MID does not run.";
static const char after_time[] = "When HI's time limit has come, MID runs although LO holds on.";
static const char on_time[] = "HI's time limit takes effect although LO, at the level that it "
                              "inherited from HI, does not give up the CPU.";
static const char not_early[] = "HI, whose request has a time limit, does not give up before it.";
static const char overtakes[] = "MID runs while HI waits for the lock that LO holds.";

static void check_inherit(struct rtg_run *run, const struct rtg_mutex_spec *own,
                          const struct rtg_mutex_spec *none)
{
    const struct trial trials[] = {
        {RTG_PROPERTY, "avoided", ARC_PLAIN, own, RTG_LO, contended, mid_waits, waits},
        {RTG_CONTROL, "avoided-without", ARC_PLAIN, none, RTG_LO, contended, mid_waits, waits},
        {RTG_PROPERTY, "restored", ARC_PLAIN, own, RTG_LO, contended, lo_steps_back, steps_back},
        {RTG_CONTROL, "restored-high-lo", ARC_PLAIN, none, RTG_HI, placed, lo_steps_back,
         steps_back},
        {RTG_PROPERTY, "chained", ARC_CHAIN, own, RTG_LO, chained, hi_ends_first, in_chain},
        {RTG_CONTROL, "chained-without", ARC_CHAIN, none, RTG_LO, chained, hi_ends_first, in_chain},
        {RTG_PROPERTY, "timed", ARC_TIMED, own, RTG_LO, contended, hi_ends_first, in_time},
        {RTG_CONTROL, "timed-without", ARC_TIMED, none, RTG_LO, contended, hi_ends_first, in_time},
        {RTG_PROPERTY, "time-out", ARC_TIMED, own, RTG_LO, contended, boost_ends, after_time},
        {RTG_CONTROL, "time-out-high-lo", ARC_TIMED, none, RTG_HI, placed, boost_ends, after_time},
        {RTG_PROPERTY, "limit-not-early", ARC_TIMED, own, RTG_LO, contended, limit_awaited,
         not_early},
        {RTG_CONTROL, "limit-not-early-without", ARC_PLAIN, own, RTG_LO, contended, limit_awaited,
         not_early},
        {RTG_REPORT, "limit-kept", ARC_TIMED_GREEDY, own, RTG_LO, contended, limit_kept, on_time},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        try_out(run, &trials[i]);
}

/* Chains and time-outs do not arise: nobody waits for a held lock. */
static void check_protect(struct rtg_run *run, const struct rtg_mutex_spec *own,
                          const struct rtg_mutex_spec *none)
{
    const struct trial trials[] = {
        {RTG_PROPERTY, "avoided", ARC_PLAIN, own, RTG_LO, placed, mid_waits, waits},
        {RTG_CONTROL, "avoided-without", ARC_PLAIN, none, RTG_LO, contended, mid_waits, waits},
        {RTG_PROPERTY, "restored", ARC_PLAIN, own, RTG_LO, placed, lo_steps_back, steps_back},
        {RTG_CONTROL, "restored-high-lo", ARC_PLAIN, none, RTG_HI, placed, lo_steps_back,
         steps_back},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        try_out(run, &trials[i]);
}

/* With the protocol switched off the inversion must be seen; with inheritance, on
 * the same system, it must not. */
static void check_none(struct rtg_run *run, const struct rtg_mutex_spec *own,
                       const struct rtg_mutex_spec *inherit)
{
    const struct trial trials[] = {
        {RTG_PROPERTY, "inversion", ARC_PLAIN, own, RTG_LO, contended, mid_overtakes, overtakes},
        {RTG_CONTROL, "inversion-with-inheritance", ARC_PLAIN, inherit, RTG_LO, contended,
         mid_overtakes, overtakes},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        try_out(run, &trials[i]);
}

/* RTG_OK when such a mutex can be made. */
static int available(const struct rtg_mutex_spec *spec)
{
    struct rtg_mutex mutex;
    int error = rtg_mutex_create(&mutex, spec);
    if (error == RTG_OK)
        rtg_mutex_destroy(&mutex);
    return error;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    const struct rtg_mutex_spec none = {.kind = RTG_MUTEX, .protocol = RTG_NONE};
    const struct rtg_mutex_spec inherit = {.kind = RTG_MUTEX, .protocol = RTG_INHERIT};
    const struct rtg_mutex_spec protect = {
        .kind = RTG_MUTEX, .protocol = RTG_PROTECT, .ceiling = rtg_role_level(RTG_HI)};
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    scene = (struct arc_scene){.run = run};
    bool with_none = rtg_is(run, "protocol", "none");
    bool with_inherit = rtg_is(run, "protocol", "inherit");
    int error = available(with_none ? &none : with_inherit ? &inherit : &protect);
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a mutex with this protocol");
    bool can_be_off = available(&none) == RTG_OK;
    rtg_check(run, RTG_REPORT, "can-be-switched-off", can_be_off,
              "A mutex can be made that avoids no priority inversion.");
    rtg_evidence_text(run, "control_lock", can_be_off ? "mutex without protocol" : "semaphore");
    if (with_none)
        check_none(run, &none, &inherit);
    else if (with_inherit)
        check_inherit(run, &inherit, can_be_off ? &none : NULL);
    else
        check_protect(run, &protect, can_be_off ? &none : NULL);
    if (rtg_halted(run))
        return rtg_reason(run, RTG_INCONCLUSIVE, "stopped before all was checked");
    return RTG_DONE;
}

RTG_TEST(.id = "MUT-B-ARC", .title = "Priority inversion",
         .question = "Does the lock avoid priority inversion: does MID wait while LO holds what HI "
                     "asks for?",
         .needs = RTG_NEEDS_REALTIME, .samples = {5, 5, 5}, .about_ns = 100000000, .about_ms = 100,
         .params = {{"protocol", RTG_CHOICE, "inherit protect none", "inherit protect none",
                     "how the lock avoids priority inversion"}},
         .run = run_test);
