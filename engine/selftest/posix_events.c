/* The text of the kernel's events: what is read from it, whatever threads are called. */
#include <string.h>

#include "check.h"
#include "linux_events.h"
#include "rtgauge/port.h"

static struct linux_event_memory memory;

/* The event in a line; false when there is none. */
static bool read_line(const char *text, struct rtg_event *event)
{
    static char line_text[512];
    struct linux_event_line line;
    strcpy(line_text, text);
    return linux_event_split(line_text, &line) && linux_event_read(&memory, 3, &line, event);
}

static void switches(void)
{
    struct rtg_event e;
    CHECK(read_line("          python-20441   [001] d..2. 35623338850449: sched_switch: "
                    "prev_comm=python prev_pid=20441 prev_prio=130 prev_state=R ==> "
                    "next_comm=python3 next_pid=20448 next_prio=120",
                    &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_SWITCH);
    CHECK_EQUAL(e.at, 35623338850449);
    CHECK_EQUAL(e.cpu, 3);
    CHECK_EQUAL(e.id, 20448);
    CHECK_EQUAL(e.other, 20441);
    CHECK_EQUAL(e.level, 120);
    CHECK_TEXT(e.name, "python3");
    CHECK_TEXT(e.state, "R");
    CHECK(read_line("          <idle>-0       [001] d..2. 5: sched_switch: prev_comm=swapper/1 "
                    "prev_pid=0 prev_prio=120 prev_state=R+ ==> next_comm=x next_pid=7 "
                    "next_prio=19",
                    &e));
    CHECK_EQUAL(e.other, 0);
    CHECK_TEXT(e.state, "R+");
}

/* Spaces, brackets, colons and what looks like fields. */
static void names_of_threads(void)
{
    static const char *const names[] = {
        "a b",
        "[001] d..2. 9: ",
        " ==> ",
        "next_pid=1",
        " next_pid=99",
        "prev_state=Z",
        "-1 [000] ",
        "x: y: z",
        " pid=5",
        "",
        "#",
        "a=b ==> c",
        "next_comm=next",
        "]]]]]]]]]]]]]]]",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[400], name[17] = "                ";
        struct rtg_event e;
        memcpy(name + 16 - strlen(names[i]), names[i], strlen(names[i]));
        strcat(strcpy(line, name), "-77      [003] d..2. 1234: sched_switch: prev_comm=");
        strcat(strcat(line, names[i]), " prev_pid=77 prev_prio=120 prev_state=D ==> next_comm=");
        strcat(strcat(line, names[i]), " next_pid=88 next_prio=9");
        CHECK(read_line(line, &e));
        CHECK_EQUAL(e.at, 1234);
        CHECK_EQUAL(e.other, 77);
        CHECK_EQUAL(e.id, 88);
        CHECK_EQUAL(e.level, 9);
        CHECK_TEXT(e.name, names[i]);
        CHECK_TEXT(e.state, "D");
        strcat(strcpy(line, name), "-77      [003] d..2. 1234: sched_waking: comm=");
        strcat(strcat(line, names[i]), " pid=88 prio=9 target_cpu=012");
        CHECK(read_line(line, &e));
        CHECK_EQUAL(e.kind, RTG_EVENT_WAKING);
        CHECK_EQUAL(e.id, 88);
        CHECK_EQUAL(e.target, 12);
        CHECK_TEXT(e.name, names[i]);
    }
}

static void interrupts(void)
{
    struct rtg_event e;
    CHECK(read_line("          <idle>-0       [001] d.h1. 36: irq_handler_entry: irq=36 "
                    "name=virtio1-req.0",
                    &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_IRQ_ENTRY);
    CHECK_EQUAL(e.id, 36);
    CHECK_TEXT(e.name, "virtio1-req.0");
    CHECK(read_line("          <idle>-0       [001] d.h1. 37: irq_handler_exit: irq=36 ret=handled",
                    &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_IRQ_EXIT);
    CHECK(read_line("          <idle>-0       [001] ..s1. 38: softirq_entry: vec=9 [action=RCU]",
                    &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_SOFTIRQ_ENTRY);
    CHECK_EQUAL(e.id, 9);
    CHECK_TEXT(e.name, "RCU");
    CHECK(read_line("            bash-20499   [000] d.h.. 39: local_timer_entry: vector=236", &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_VECTOR_ENTRY);
    CHECK_EQUAL(e.id, 236);
    CHECK_TEXT(e.name, "local_timer");
    CHECK(read_line("            bash-20499   [000] d.h.. 40: local_timer_exit: vector=236", &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_VECTOR_EXIT);
}

/* A timer's due time is that of its own last start. */
static void timers(void)
{
    struct rtg_event e;
    memset(&memory, 0, sizeof memory);
    CHECK(!read_line("            bash-20499   [000] d.h.. 1: hrtimer_start: hrtimer=00000000a1 "
                     "function=f expires=1000 softexpires=900 mode=ABS was_armed=0",
                     &e));
    CHECK(!read_line("            bash-20499   [000] d.h.. 2: hrtimer_start: hrtimer=00000000b2 "
                     "function=g expires=2000 softexpires=900 mode=ABS was_armed=0",
                     &e));
    CHECK(read_line("            bash-20499   [000] d.h.. 3: hrtimer_expire_entry: "
                    "hrtimer=00000000a1 function=hrtimer_wakeup now=1017",
                    &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_TIMER_DUE);
    CHECK_EQUAL(e.due_ns, 1000);
    CHECK_TEXT(e.name, "hrtimer_wakeup");
    CHECK(read_line(
        "            bash-20499   [000] d.h.. 4: hrtimer_expire_exit: hrtimer=00000000a1", &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_TIMER_EXIT);
    CHECK_EQUAL(e.due_ns, 0);
    CHECK_TEXT(e.name, "hrtimer_wakeup");
    CHECK(read_line("            bash-20499   [000] d.h.. 5: hrtimer_expire_entry: "
                    "hrtimer=00000000a1 function=hrtimer_wakeup now=1017",
                    &e));
    CHECK_EQUAL(e.due_ns, 0); /* it was not started again */
    CHECK(read_line("            bash-20499   [000] d.h.. 6: timer_expire_entry: timer=00000000c3 "
                    "function=delayed_work_timer_fn now=4294 baseclk=4294",
                    &e));
    CHECK_EQUAL(e.due_ns, 0);
    CHECK_TEXT(e.name, "delayed_work_timer_fn");
}

static void times(void)
{
    struct rtg_event e;
    CHECK(read_line("            bash-20499   [000] d.h.. 12345.678901: softirq_exit: vec=1 "
                    "[action=TIMER]",
                    &e));
    CHECK_EQUAL(e.at, 12345678901000);
    CHECK(
        read_line("            bash-20499   [000] 12345.000001: softirq_exit: vec=1 [action=TIMER]",
                  &e)); /* without the state of the CPU */
    CHECK_EQUAL(e.at, 12345000001000);
}

static void what_is_no_event(void)
{
    static const char *const lines[] = {
        "",
        "# tracer: nop",
        "CPU:1 [LOST 17 EVENTS]",
        "            bash-20499   [000]",
        "            bash-20499   [000] d.h.. 1",
        "            bash-20499   [000] d.h.. x: softirq_exit: vec=1 [action=TIMER]",
        "            bash-20499   [000] d.h.. 1: softirq_exit",
        "            bash-20499   [000] d.h.. 1: sched_switch: prev_comm=x",
        "            bash-20499   [000] d.h.. 1: sched_switch: next_pid=1 next_prio=2",
        "            bash-20499   [000] d.h.. 1: sched_waking: pid=1",
        "            bash-20499   [000] d.h.. 1: something_else: vector=1",
        "            bash-20499   [000] d.h.. 1: some_entry: number=1",
        "            bash-20499   000 d.h.. 1: softirq_exit: vec=1 [action=TIMER]",
        "bash-1 [000] d.h.. 1: softirq_exit: vec=1 [action=TIMER]",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct rtg_event e;
        CHECK(!read_line(lines[i], &e));
    }
}

int main(void)
{
    switches();
    names_of_threads();
    interrupts();
    timers();
    times();
    what_is_no_event();
    return check_end();
}
