/* Which clock stamps the samples, and what it is worth. A processor's counter is
 * taken only when it is proven: the processor promises a constant rate, two
 * measurements of the rate agree, and all CPUs show the same time. */
#include "core.h"

enum {
    RATE_NS = 120000000,          /* length of one measurement of the rate */
    RATE_AGREEMENT_PPM = 200,     /* two measurements may differ by this */
    PAIR_TRIES = 64,              /* the tightest pair of so many is taken */
    OFFSET_ROUNDS = 3000,         /* at least so many; more while the bound is loose */
    OFFSET_TIGHT_NS = 20000,      /* a bound that is good enough */
    OFFSET_LOOSE_NS = 1000000,    /* a bound that proves nothing */
    OFFSET_LIMIT_NS = 1000000000, /* gives up on a CPU that does not answer */
};

rtg_stamp_t rtg_ticks_between(const struct rtg_clock *clock, rtg_stamp_t from, rtg_stamp_t to)
{
    rtg_stamp_t ticks = clock->direction < 0 ? from - to : to - from;
    if (clock->width < RTG_STAMP_BITS)
        ticks &= ((rtg_stamp_t)1 << clock->width) - 1;
    return ticks;
}

struct rtg_pair rtg_read_pair(const struct rtg_clock *clock)
{
    struct rtg_pair best = {.width = (rtg_stamp_t)-1};
    for (int i = 0; i < PAIR_TRIES; i++) {
        rtg_stamp_t before = clock->read();
        uint64_t ns = rtg_os_now();
        rtg_stamp_t after = clock->read();
        rtg_stamp_t width = rtg_ticks_between(clock, before, after);
        if (width < best.width)
            best = (struct rtg_pair){clock->direction < 0 ? before - width / 2 : before + width / 2,
                                     ns, width};
    }
    return best;
}

/* Ticks per second, and its uncertainty in parts per 10^9 from the two widths. */
static uint64_t measure_rate(const struct rtg_clock *clock, uint64_t *ppb)
{
    struct rtg_pair from = rtg_read_pair(clock);
    rtg_sleep_until(rtg_os_now() + RATE_NS);
    struct rtg_pair to = rtg_read_pair(clock);
    uint64_t ticks = rtg_ticks_between(clock, from.stamp, to.stamp);
    uint64_t ns = to.ns - from.ns;
    if (ticks == 0 || ns == 0)
        return 0;
    *ppb = ((uint64_t)from.width + to.width) * 1000000000u / (2 * ticks);
    /* ticks * 10^9 / ns without overflow: whole part and rest apart */
    uint64_t whole = ticks / ns, rest = ticks % ns;
    return whole * 1000000000u + rest * 1000000000u / ns;
}

static const char *rate_of(const struct rtg_clock *clock, struct rtg_clock_facts *facts)
{
    facts->rate_num = clock->rate_num;
    facts->rate_den = clock->rate_den;
    facts->rate_ppb = 0;
    if (clock->rate_num != 0)
        return NULL;
    uint64_t ppb_first = 0, ppb_second = 0;
    uint64_t first = measure_rate(clock, &ppb_first), second = measure_rate(clock, &ppb_second);
    if (first == 0 || second == 0)
        return "the counter does not count";
    uint64_t difference = first > second ? first - second : second - first;
    uint64_t apart_ppb = difference * 1000000000u / first;
    if (apart_ppb > RATE_AGREEMENT_PPM * 1000u + ppb_first + ppb_second)
        return "the rate changed between two measurements";
    facts->rate_num = first / 2 + second / 2;
    facts->rate_den = 1;
    facts->rate_ppb = apart_ppb > ppb_first + ppb_second ? apart_ppb : ppb_first + ppb_second;
    return NULL;
}

/* The other end of the measurement of an offset: answers each request with its
 * own reading. */
struct echo {
    const struct rtg_clock *clock;
    atomic_uint asked, answered;
    atomic_bool end;
    rtg_stamp_t reading;
};

static void answer(void *arg)
{
    struct echo *echo = arg;
    for (unsigned round = 1;; round++) {
        while (atomic_load_explicit(&echo->asked, memory_order_acquire) < round) {
            if (atomic_load(&echo->end))
                return;
            rtg_cpu_relax();
        }
        echo->reading = echo->clock->read();
        atomic_store_explicit(&echo->answered, round, memory_order_release);
    }
}

/* Ticks from `from` to `to`, which may lie up to half a wrap before it. */
static int64_t signed_ticks(const struct rtg_clock *clock, rtg_stamp_t from, rtg_stamp_t to)
{
    rtg_stamp_t there = rtg_ticks_between(clock, from, to);
    rtg_stamp_t back = rtg_ticks_between(clock, to, from);
    return back < there ? -(int64_t)back : (int64_t)there;
}

/* The offset of the other CPU lies between after - reading and before - reading of
 * every round; over many rounds the interval shrinks. While either CPU is busy with
 * others the rounds are long, so it is asked until the interval is `tight` ticks. */
static void ask(struct echo *echo, int64_t tight, int64_t *low, int64_t *high)
{
    uint64_t give_up = rtg_os_now() + OFFSET_LIMIT_NS;
    for (unsigned round = 1;
         round <= OFFSET_ROUNDS || (*high - *low > tight && rtg_os_now() < give_up); round++) {
        rtg_stamp_t before = echo->clock->read();
        atomic_store_explicit(&echo->asked, round, memory_order_release);
        while (atomic_load_explicit(&echo->answered, memory_order_acquire) < round) {
            if (rtg_os_now() > give_up)
                return;
            rtg_cpu_relax();
        }
        rtg_stamp_t after = echo->clock->read();
        int64_t least = signed_ticks(echo->clock, after, echo->reading);
        int64_t most = signed_ticks(echo->clock, before, echo->reading);
        *low = least > *low ? least : *low;
        *high = most < *high ? most : *high;
    }
}

/* Ticks in `ns`, up to a second of them; at least 1. */
static int64_t ticks_in(const struct rtg_clock_facts *facts, uint64_t ns)
{
    uint64_t per_second = facts->rate_num / facts->rate_den;
    uint64_t ticks =
        per_second < UINT32_MAX ? per_second * ns / 1000000000u : per_second / 1000000000u * ns;
    return ticks == 0 ? 1 : (int64_t)ticks;
}

static const char *compare_cpus(const struct rtg_clock *clock, struct rtg_clock_facts *facts)
{
    uint32_t here = rtg_cpu_now();
    facts->monotonic = -1;
    facts->cpu_offset = 0;
    for (uint32_t i = 0; i < rtg_cpu_count(); i++) {
        if (rtg_cpu_at(i) == here)
            continue;
        struct echo echo = {.clock = clock};
        struct rtg_thread thread;
        struct rtg_thread_spec spec = {
            .entry = answer, .arg = &echo, .policy = RTG_NORMAL, .cpu = (int32_t)rtg_cpu_at(i)};
        int64_t low = INT64_MIN / 2, high = INT64_MAX / 2; /* their difference does not wrap */
        if (rtg_thread_create(&thread, &spec) != RTG_OK)
            return "another CPU could not be asked for its time";
        ask(&echo, ticks_in(facts, OFFSET_TIGHT_NS), &low, &high);
        atomic_store(&echo.end, true);
        rtg_thread_join(&thread);
        if (low == INT64_MIN / 2)
            return "another CPU did not answer when asked for its time";
        if (low > 0 || high < 0)
            return "the CPUs show different times";
        int64_t bound = -low > high ? -low : high;
        if (bound > ticks_in(facts, OFFSET_LOOSE_NS))
            return "the CPUs were too busy to compare their times";
        if ((rtg_stamp_t)bound > facts->cpu_offset)
            facts->cpu_offset = (rtg_stamp_t)bound;
        facts->monotonic = 1;
    }
    return NULL;
}

/* Cost and step of the sleep clock, ns. */
static void probe_os_clock(struct rtg_clock_facts *facts)
{
    uint64_t least = UINT64_MAX, step = UINT64_MAX;
    for (int i = 0; i < 1000; i++) {
        uint64_t first = rtg_os_now(), second = rtg_os_now();
        if (second - first < least)
            least = second - first;
        if (second != first && second - first < step)
            step = second - first;
    }
    struct rtg_os_clock stated;
    facts->os_overhead = least;
    facts->os_resolution = step == UINT64_MAX ? 0 : step;
    if (rtg_os_clock(0, &stated) == RTG_OK && stated.resolution_ns != 0)
        facts->os_resolution = stated.resolution_ns;
}

const char *rtg_calibrate(struct rtg_clock_facts *facts)
{
    enum { MOST = sizeof facts->rejected / sizeof *facts->rejected };
    for (facts->index = 0; rtg_clocks[facts->index] != NULL && facts->index < MOST;
         facts->index++) {
        const struct rtg_clock *clock = rtg_clocks[facts->index];
        const char *no = clock->unusable(&facts->why);
        if (no == NULL)
            no = rate_of(clock, facts);
        if (no == NULL)
            no = compare_cpus(clock, facts);
        if (no == NULL) {
            (*rtg_probes[facts->index])(&facts->overhead, &facts->resolution);
            struct rtg_pair anchor = rtg_read_pair(clock);
            facts->anchor_stamp = anchor.stamp;
            facts->anchor_ns = anchor.ns;
            probe_os_clock(facts);
            return NULL;
        }
        facts->rejected[facts->index] = no;
    }
    return "no clock of this port can be trusted on this machine";
}
