/* The choice of a fault. That each does what it says is shown by the host's
 * self-test; here that nothing else can be chosen, and that the correct system
 * has none. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "fake_test.h"

static enum fake_fault chosen(const char *text)
{
    fake_fault = FAKE_CORRECT;
    fake_k = 0;
    setenv("RTGAUGE_FAULT", text, 1);
    bool known = fake_faults_init();
    unsetenv("RTGAUGE_FAULT");
    enum fake_fault fault = known ? fake_fault : FAKE_FAULTS;
    fake_fault = FAKE_CORRECT;
    return fault;
}

static void without_a_name_it_is_correct(void)
{
    CHECK_EQUAL(chosen(""), FAKE_CORRECT);
    unsetenv("RTGAUGE_FAULT");
    CHECK(fake_faults_init());
    CHECK_EQUAL(fake_fault, FAKE_CORRECT);
}

static void names_and_numbers(void)
{
    CHECK_EQUAL(chosen("yield-nothing"), FAULT_YIELD_NOTHING);
    CHECK_EQUAL(fake_k, 0);
    CHECK_EQUAL(chosen("tick-takes"), FAULT_TICK_TAKES);
    CHECK_EQUAL(fake_k, 20);
    CHECK_EQUAL(chosen("tick-takes:35"), FAULT_TICK_TAKES);
    CHECK_EQUAL(fake_k, 35);
}

static void what_is_no_fault(void)
{
    static const char *const wrong[] = {
        "tick",
        "tick-takes ",
        "tick-takes:",
        "tick-takes:0",
        "tick-takes:x",
        "tick-takes:-1",
        "tick-takes:5x",
        "tick-takes:99999999999",
        "yield-nothing:1",
        ":",
        "none",
        "TICK-TAKES",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_EQUAL(chosen(wrong[i]), FAKE_FAULTS);
}

static void every_kth(void)
{
    unsigned n = 0;
    fake_fault = FAULT_LEAK;
    fake_k = 3;
    for (int i = 0; i < 9; i++)
        n += fake_every_kth(FAULT_LEAK);
    CHECK(!fake_every_kth(FAULT_TICK_LOST));
    fake_fault = FAKE_CORRECT;
    CHECK_EQUAL(n, 3);
    CHECK(!fake_every_kth(FAULT_LEAK));
}

static unsigned facts;
static const char *first_fact;

static void count_fact(void *to, const char *name, const char *text, int64_t number)
{
    (void)to;
    (void)text;
    (void)number;
    first_fact = facts++ == 0 ? name : first_fact;
}

static void a_fault_is_told(void)
{
    fake_faults_facts(count_fact, NULL);
    CHECK_EQUAL(facts, 0);
    chosen("leak:7");
    fake_fault = FAULT_LEAK;
    fake_faults_facts(count_fact, NULL);
    fake_fault = FAKE_CORRECT;
    CHECK_EQUAL(facts, 2);
    CHECK_TEXT(first_fact, "fault");
    CHECK_EQUAL(chosen("list"), FAKE_CORRECT); /* from here on all are told */
    facts = 0;
    fake_faults_facts(count_fact, NULL);
    CHECK_EQUAL(facts, FAKE_FAULTS - 1);
}

void fake_fault_tests(void)
{
    without_a_name_it_is_correct();
    names_and_numbers();
    what_is_no_fault();
    every_kth();
    a_fault_is_told();
}
