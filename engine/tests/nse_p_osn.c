/* NSE-P-OSN: a thread on each CPU reads the clock and does nothing else. Between two
 * reads that lie far apart somebody else had the CPU.
 *
 * The threads watch for one window after the other and sleep in between, so that the
 * system can do on each CPU what must be done there. */
#include <stdatomic.h>

#include "common/two_cpus.h"

enum { MOST = 64, WATCHED_NS = 100000 /* for each sample wanted */, PROBES = 20000 };
#define WINDOW_NS 90000000ull
#define REST_NS 10000000ull

struct watcher {
    struct rtg_thread thread;
    struct rtg_buffer part;
    uint64_t watched_ns;
};

static struct noise {
    struct rtg_run *run;
    uint64_t wanted_ns;    /* to watch, by each thread */
    rtg_stamp_t threshold; /* ticks between two reads that make a gap */
    rtg_stamp_t mask;      /* the bits of the counter */
    bool up;
    struct watcher watcher[MOST];
} noise;

static inline rtg_stamp_t apart(rtg_stamp_t from, rtg_stamp_t to)
{
    return (noise.up ? to - from : from - to) & noise.mask;
}

static void watch_window(struct rtg_buffer *own, uint64_t end, uint16_t cpu)
{
    rtg_stamp_t last = rtg_stamp_stop();
    for (uint32_t i = 1;; i++) {
        rtg_stamp_t now = rtg_stamp_stop();
        if (apart(last, now) > noise.threshold)
            rtg_record_in(own, last, now, cpu);
        if (i % 1024 == 0) { /* what this takes is no gap */
            if (rtg_os_now() >= end)
                return;
            now = rtg_stamp_stop();
        }
        last = now;
    }
}

static void watch(void *arg)
{
    struct watcher *me = arg;
    struct rtg_buffer own = me->part;
    struct rtg_thread_state before;
    uint16_t cpu = (uint16_t)rtg_cpu_now();
    rtg_watch_begin(noise.run, &before);
    while (me->watched_ns < noise.wanted_ns && !rtg_halted(noise.run)) {
        uint64_t left = noise.wanted_ns - me->watched_ns, begin = rtg_os_now();
        watch_window(&own, begin + (left < WINDOW_NS ? left : WINDOW_NS), cpu);
        me->watched_ns += rtg_os_now() - begin;
        rtg_sleep_for(REST_NS);
    }
    rtg_watch_end(noise.run, &before);
    me->part = own;
}

/* Far above what two reads take when nothing comes in between, and far below what
 * any interruption takes. */
static rtg_stamp_t find_threshold(void)
{
    rtg_stamp_t least = (rtg_stamp_t)-1, last = rtg_stamp_stop();
    for (uint32_t i = 0; i < PROBES; i++) {
        rtg_stamp_t now = rtg_stamp_stop();
        least = apart(last, now) < least ? apart(last, now) : least;
        last = now;
    }
    return least * 16 + 1;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_buffer part[MOST];
    uint32_t n = rtg_cpu_count() < MOST ? rtg_cpu_count() : MOST, made = 0;
    uint64_t watched = 0;
    const struct rtg_clock *clock = rtg_clock_of(run);
    noise = (struct noise){.run = run, .up = clock->direction > 0};
    noise.mask = (rtg_stamp_t)-1 >> (RTG_STAMP_BITS - clock->width);
    noise.threshold = find_threshold();
    noise.wanted_ns = (uint64_t)rtg_samples(run) * WATCHED_NS;
    rtg_split(run, 0, part, n);
    for (; made < n; made++) {
        struct rtg_thread_spec spec = {.entry = watch,
                                       .arg = &noise.watcher[made],
                                       .policy = RTG_FIFO,
                                       .level = rtg_role_level(RTG_HI),
                                       .cpu = nth_cpu(made)};
        noise.watcher[made].part = part[made];
        if (!rtg_spawn_as(run, &noise.watcher[made].thread, &spec))
            break;
    }
    for (uint32_t k = 0; k < made; k++) {
        rtg_thread_join(&noise.watcher[k].thread);
        part[k] = noise.watcher[k].part;
        watched += noise.watcher[k].watched_ns;
    }
    rtg_merge(run, 0, part, made);
    if (made < n)
        return rtg_unspawned(run);
    rtg_evidence(run, "watched", (int64_t)watched, "ns");
    rtg_evidence(run, "threshold", (int64_t)noise.threshold, "ticks");
    rtg_evidence(run, "cpus", n, "");
    return RTG_DONE;
}

RTG_TEST(.id = "NSE-P-OSN", .title = "Noise of the system",
         .question = "How often, and for how long, is the CPU taken away from a thread that only "
                     "computes?",
         .needs = RTG_NEEDS_REALTIME, .samples = {20000, 300000, 6000000}, .about_ns = 112000,
         .about_ms = 20,
         .series = {{"", "ns", "the last read of the clock before the gap",
                     "the first one after it", "one thread on each CPU, at the level HI", "cpu",
                     RTG_BY_STAMP, ""}},
         .run = run_test);
