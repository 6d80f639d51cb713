/* What rtgauge_irq does to a source that is stopped, or asked for something else, while an
 * interrupt of what was asked for before is under way. Says what is wrong; says nothing where all
 * is well. */
#include "main.c"

static bool armed, under_way;
static int failed;

static void check(bool well, const char *what)
{
    if (!well)
        failed = puts(what) != EOF;
}

/* ---- a source whose last interrupt comes while it is being disarmed ---- */

static int arm_it(struct source *s, u64 due_ns)
{
    (void)s;
    (void)due_ns;
    armed = true;
    return 0;
}

static void disarm_it(struct source *s)
{
    armed = false;
    if (under_way)
        source_fired(s, time_now);
    under_way = false;
}

static int nothing(struct source *s)
{
    (void)s;
    return 0;
}

static void end_it(struct source *s)
{
    (void)s;
}

const struct source_ops source_hrtimer = {
    .name = "test", .setup = nothing, .teardown = end_it, .arm = arm_it, .disarm = disarm_it};

static void late_interrupts(void)
{
    struct source *s = make(&source_hrtimer);
    start(s, 1000, 0, 500, 10);
    under_way = true;
    start(s, 9000, 0, 0, 1);
    check(s->written == 0 && s->due_ns == 9000 && s->left == 1,
          "an old interrupt served a new one");
    start(s, 1000, 0, 500, 10);
    under_way = true;
    stop(s);
    check(!armed && s->written == 0, "a stopped source was armed again");
    kfree(s);
}

int main(void)
{
    late_interrupts();
    return failed;
}
