/* Priority inversion: what each protocol does about it. */
#include "fake_test.h"

static struct rtg_mutex m1, m2;

static void make(struct rtg_mutex *m, enum rtg_protocol protocol, uint32_t ceiling)
{
    struct rtg_mutex_spec spec = {.protocol = protocol, .ceiling = ceiling};
    CHECK_EQUAL(rtg_mutex_create(m, &spec), RTG_OK);
}

/* ---- the inversion: LO holds m1, HI asks for it, MID only works ---- */

static uint64_t hi_limit;

static void low(void *arg)
{
    (void)arg;
    rtg_mutex_lock(&m1);
    rtg_work(200000);
    mark('l');
    rtg_mutex_unlock(&m1);
    mark('L');
}

static void middle(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg + 50000);
    rtg_work(100000);
    mark('M');
}

static void high(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg + 25000);
    mark(rtg_mutex_lock_until(&m1, hi_limit) == RTG_OK ? 'H' : 't');
    if (hi_limit == UINT64_MAX)
        rtg_mutex_unlock(&m1);
}

static const char *invert(enum rtg_protocol protocol, uint64_t limit)
{
    struct rtg_thread t[3];
    make(&m1, protocol, HI);
    settle();
    uint64_t begin = now();
    hi_limit = limit == UINT64_MAX ? limit : begin + limit;
    start(&t[0], LO, low, NULL);
    start(&t[1], MID, middle, &begin);
    start(&t[2], HI, high, &begin);
    join(t, 3);
    rtg_mutex_destroy(&m1);
    return marks();
}

static void protocols_differ_in_the_inversion(void)
{
    CHECK_TEXT(invert(RTG_INHERIT, UINT64_MAX), "lHML");
    CHECK_TEXT(invert(RTG_PROTECT, UINT64_MAX), "lHML");
    CHECK_TEXT(invert(RTG_NONE, UINT64_MAX), "MlHL");
}

/* HI gives up before LO is done: from then on MID goes before LO again. */
static void inheritance_ends_with_the_time_limit(void)
{
    CHECK_TEXT(invert(RTG_INHERIT, 100000), "tMlL");
}

/* ---- a chain: LO holds m1; MID holds m2 and wants m1; HI wants m2 ---- */

static void chain_low(void *arg)
{
    (void)arg;
    rtg_mutex_lock(&m1);
    rtg_work(200000);
    mark('l');
    rtg_mutex_unlock(&m1);
}

static void chain_middle(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg + 25000);
    rtg_mutex_lock(&m2);
    rtg_mutex_lock(&m1);
    mark('m');
    rtg_mutex_unlock(&m1);
    rtg_mutex_unlock(&m2);
}

static void chain_high(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg + 50000);
    rtg_mutex_lock(&m2);
    mark('h');
    rtg_mutex_unlock(&m2);
}

static void between(void *arg)
{
    rtg_sleep_until(*(uint64_t *)arg + 75000);
    mark('b');
}

static const char *chain(enum rtg_protocol protocol)
{
    struct rtg_thread t[4];
    make(&m1, protocol, 0);
    make(&m2, protocol, 0);
    settle();
    uint64_t begin = now();
    start(&t[0], LO, chain_low, NULL);
    start(&t[1], MID, chain_middle, &begin);
    start(&t[2], HI, chain_high, &begin);
    start(&t[3], MID + 5, between, &begin);
    join(t, 4);
    rtg_mutex_destroy(&m1);
    rtg_mutex_destroy(&m2);
    return marks();
}

static void inheritance_goes_through_a_chain(void)
{
    CHECK_TEXT(chain(RTG_INHERIT), "lmhb");
    CHECK_TEXT(chain(RTG_NONE), "blmh");
}

void fake_inherit_tests(void)
{
    protocols_differ_in_the_inversion();
    inheritance_ends_with_the_time_limit();
    inheritance_goes_through_a_chain();
}
