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

static void noises(void)
{
    static const struct {
        const char *line, *state, *name;
        int32_t id;
        uint64_t ns;
    } known[] = {
        {"            bash-20499   [000] d.h1. 9: irq_noise: local_timer:236 start 3.665977642 "
         "duration 2206 ns",
         "irq", "local_timer", 236, 2206},
        {"            bash-20499   [000] ..s1. 9: softirq_noise:      RCU:9 start 3.6 duration 7 "
         "ns",
         "softirq", "RCU", 9, 7},
        {"            bash-20499   [000] d..3. 9: thread_noise: a: start 1:22 start 3.664079296 "
         "duration 852912 ns",
         "thread", "a: start 1", 22, 852912},
        {"            bash-20499   [000] d.Z1. 9: nmi_noise: start 3.6 duration 4000000000 ns",
         "nmi", "", 0, 4000000000},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct rtg_event e;
        CHECK(read_line(known[i].line, &e));
        CHECK_EQUAL(e.kind, RTG_EVENT_NOISE);
        CHECK_TEXT(e.state, known[i].state);
        CHECK_TEXT(e.name, known[i].name);
        CHECK_EQUAL(e.id, known[i].id);
        CHECK_EQUAL(e.due_ns, known[i].ns);
    }
}

/* What an interrupt came upon stands behind the functions by which it enters the kernel. */
static void stacks(void)
{
    static const char *const lines[] = {
        " => trace_event_raw_event_x86_irq_vector", " => sysvec_apic_timer_interrupt",
        " => asm_sysvec_apic_timer_interrupt", " => _raw_spin_unlock_irqrestore",
        " => free_one_page+0x12/0x30"};
    struct rtg_event e;
    memset(&memory, 0, sizeof memory);
    CHECK(!read_line("            bash-20499   [000] d.h.. 7: <stack trace>", &e));
    CHECK(!read_line(lines[0], &e) && !read_line(lines[1], &e));
    CHECK(read_line(lines[2], &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_PLACE);
    CHECK_EQUAL(e.id, -1);
    CHECK(read_line(lines[3], &e));
    CHECK_EQUAL(e.id, 0);
    CHECK_TEXT(e.name, "_raw_spin_unlock_irqrestore");
    CHECK(read_line(lines[4], &e));
    CHECK_EQUAL(e.id, 1);
    CHECK_TEXT(e.name, "free_one_page");
    CHECK(!read_line("            bash-20499   [000] d.h.. 8: <stack trace>", &e));
    CHECK(!read_line(lines[0], &e)); /* of the next one */
    for (int deep = 0; deep < 20; deep++)
        read_line(lines[2], &e);
    CHECK(!read_line(lines[3], &e)); /* no stack is followed down to its end */
}

static void interrupts_switched(void)
{
    struct rtg_event e;
    CHECK(read_line("            bash-20499   [000] d.... 7: irq_disable: caller=do_idle+0xa/0x20 "
                    "parent=cpu_startup_entry+0x1/0x2",
                    &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_IRQS_OFF);
    CHECK_TEXT(e.name, "do_idle");
    CHECK(read_line("            bash-20499   [000] d.... 8: irq_enable: "
                    "caller=_raw_spin_unlock_irqrestore+0xa/0x20 parent=free_one_page+0x1/0x2",
                    &e));
    CHECK_EQUAL(e.kind, RTG_EVENT_IRQS_ON);
    CHECK_TEXT(e.name, "free_one_page");
    CHECK(read_line("            bash-20499   [000] d.... 8: irq_enable: "
                    "caller=_raw_spin_unlock_irq+0xa/0x20 parent=0x0",
                    &e));
    CHECK_TEXT(e.name, "_raw_spin_unlock_irq");
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
        "            bash-20499   [000] d.h.. 1: irq_noise: x:1 start 3.6",
        "            bash-20499   [000] d.h.. 1: irq_enable: parent=x",
        "            bash-20499   [000] d.h.. 1: <stack",
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
    noises();
    stacks();
    interrupts_switched();
    what_is_no_event();
    return check_end();
}
