/* What loads use to do their work at their degree. Runs in the workers. */
#include "core.h"
#include "load_worker.h"

enum {
    BURST_NS = 10000000,   /* of work in ... */
    PERIOD_NS = 100000000, /* ... each of these */
    TRIES = 7,             /* measurements of a piece */
    TRY_NS = 2000000,      /* each takes at least so long */
};

bool rtg_load_goes_on(const struct rtg_load_worker *worker)
{
    return !atomic_load_explicit(&worker->end, memory_order_relaxed) &&
           rtg_os_now() < worker->until_ns;
}

void rtg_load_begins(struct rtg_load_worker *worker, uint64_t turn)
{
    worker->turn = turn;
    atomic_store(&worker->state, RTG_LOAD_RUNS);
}

void rtg_load_did(struct rtg_load_worker *worker, uint64_t units)
{
    atomic_fetch_add_explicit(&worker->done, units, memory_order_relaxed);
}

void rtg_load_failed(struct rtg_load_worker *worker, int error, const char *what)
{
    atomic_store(&worker->failed_at, what);
    atomic_store(&worker->error, error);
}

int32_t rtg_load_cpu(const struct rtg_load_worker *worker)
{
    return worker->cpu;
}

/* Does one piece; false when it failed. */
static bool work(struct rtg_load_worker *worker, rtg_load_piece piece, void *arg, uint64_t *units)
{
    *units = 0;
    int error = piece(arg, units);
    if (error != RTG_OK)
        rtg_load_failed(worker, error, "doing its work");
    return error == RTG_OK;
}

/* ns of one piece, 0 when it failed. */
static uint64_t measure(struct rtg_load_worker *worker, rtg_load_piece piece, void *arg,
                        enum rtg_load_time time)
{
    uint64_t sorted[TRIES], units;
    for (int i = 0; i < TRIES; i++) {
        uint64_t begin = rtg_os_now(), took = 0;
        uint64_t pieces = 0;
        for (; took < TRY_NS; pieces++) {
            if (!work(worker, piece, arg, &units))
                return 0;
            took = rtg_os_now() - begin;
        }
        int place = i;
        for (; place > 0 && sorted[place - 1] > took / pieces; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = took / pieces;
    }
    uint64_t chosen = sorted[time == RTG_LOAD_WAITS ? TRIES / 2 : 0];
    return chosen == 0 ? 1 : chosen;
}

/* The next turn after the one that was due at *due; at once when that is past. */
static void wait_for_next(uint64_t *due, uint64_t period_ns)
{
    uint64_t now = rtg_os_now();
    *due = *due + period_ns > now ? *due + period_ns : now;
    rtg_sleep_until(*due);
}

void rtg_load_bursts(struct rtg_load_worker *worker, rtg_load_piece piece, void *arg,
                     enum rtg_load_time time)
{
    uint64_t each = measure(worker, piece, arg, time), units, due = rtg_os_now();
    if (each == 0)
        return;
    uint64_t pieces = each < BURST_NS ? BURST_NS / each : 1;
    rtg_load_begins(worker, pieces * each);
    for (; rtg_load_goes_on(worker); wait_for_next(&due, PERIOD_NS)) {
        for (uint64_t i = 0; i < pieces && rtg_load_goes_on(worker); i++) {
            if (!work(worker, piece, arg, &units))
                return;
            rtg_load_did(worker, each);
        }
    }
}

void rtg_load_paced(struct rtg_load_worker *worker, rtg_load_piece piece, void *arg,
                    uint64_t period_ns, uint32_t pieces)
{
    uint64_t units, due = rtg_os_now();
    rtg_load_begins(worker, worker->load->wanted * period_ns / 1000000000u);
    for (; rtg_load_goes_on(worker); wait_for_next(&due, period_ns)) {
        for (uint32_t i = 0; i < pieces; i++) {
            if (!work(worker, piece, arg, &units))
                return;
            rtg_load_did(worker, units);
        }
    }
}

void rtg_load_endless(struct rtg_load_worker *worker, rtg_load_piece piece, void *arg)
{
    uint64_t units;
    rtg_load_begins(worker, 1);
    while (rtg_load_goes_on(worker) && work(worker, piece, arg, &units))
        rtg_load_did(worker, units);
}

/* ---- with the system's own work ------------------------------------------ */

static int serve(void *arg, uint64_t *units)
{
    return rtg_service_do(arg, units);
}

static bool service_begins(struct rtg_load_worker *worker, struct rtg_service *service,
                           enum rtg_service_kind kind)
{
    int error = rtg_service_begin(service, kind);
    if (error != RTG_OK)
        rtg_load_failed(worker, error, "preparing its work");
    return error == RTG_OK;
}

void rtg_load_service_bursts(struct rtg_load_worker *worker, enum rtg_service_kind kind,
                             enum rtg_load_time time)
{
    struct rtg_service service;
    if (!service_begins(worker, &service, kind))
        return;
    rtg_load_bursts(worker, serve, &service, time);
    rtg_service_end(&service);
}

void rtg_load_service_paced(struct rtg_load_worker *worker, enum rtg_service_kind kind,
                            uint64_t period_ns, uint32_t pieces)
{
    struct rtg_service service;
    if (!service_begins(worker, &service, kind))
        return;
    rtg_load_paced(worker, serve, &service, period_ns, pieces);
    rtg_service_end(&service);
}

void rtg_load_service_endless(struct rtg_load_worker *worker, enum rtg_service_kind kind)
{
    struct rtg_service service;
    if (!service_begins(worker, &service, kind))
        return;
    rtg_load_endless(worker, serve, &service);
    rtg_service_end(&service);
}
