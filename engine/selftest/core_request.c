/* The request's reader: what it understands, and that nothing damaged harms it. */
#include <string.h>

#include "check.h"
#include "core.h"
#include "core_test.h"

static int discard(const void *from, size_t size)
{
    (void)from;
    (void)size;
    return 0;
}

static void put_pair(struct rtg_out *out, const char *key, const char *text)
{
    rtg_put_text(out, key);
    rtg_put_text(out, text);
}

static void put_job(struct rtg_out *out)
{
    rtg_put_map(out, 4);
    put_pair(out, "id", "THR-P-SLS");
    rtg_put_text(out, "samples");
    rtg_put_uint(out, 10000);
    rtg_put_text(out, "params");
    rtg_put_map(out, 2);
    put_pair(out, "kind", "counting");
    rtg_put_text(out, "threads");
    rtg_put_uint(out, 1000);
    rtg_put_text(out, "unknown");
    rtg_put_array(out, 2);
    rtg_put_int(out, -7);
    rtg_put_bytes(out, "abc", 3);
}

struct limits {
    uint64_t level, time_ms;
    int64_t cpu;
};

/* A request as the host writes it; returns the size of its payload. */
static size_t ask(struct rtg_request *request, uint32_t jobs, struct limits limits)
{
    static struct rtg_out out;
    rtg_out_init(&out, discard);
    rtg_record_begin(&out, 6);
    put_pair(&out, "r", "request");
    rtg_put_text(&out, "version");
    rtg_put_uint(&out, 1);
    put_pair(&out, "op", "run");
    put_pair(&out, "cache", "dirty");
    rtg_put_text(&out, "limits");
    rtg_put_map(&out, 4);
    rtg_put_text(&out, "level");
    rtg_put_uint(&out, limits.level);
    rtg_put_text(&out, "cpu");
    rtg_put_int(&out, limits.cpu);
    rtg_put_text(&out, "memory");
    rtg_put_uint(&out, 1 << 20);
    rtg_put_text(&out, "time_ms");
    rtg_put_uint(&out, limits.time_ms);
    rtg_put_text(&out, "jobs");
    rtg_put_array(&out, jobs);
    for (uint32_t i = 0; i < jobs; i++)
        put_job(&out);
    memcpy(request->frame, out.frame, out.used);
    request->payload = request->frame + 4;
    request->payload_size = out.used - 4;
    return request->payload_size;
}

static size_t good(struct rtg_request *request, uint32_t jobs)
{
    return ask(request, jobs, (struct limits){.level = 79, .time_ms = 5000, .cpu = -1});
}

/* A number too large for its place is refused: cut to size it would be another. */
void test_request_limits(void)
{
    static struct rtg_request request;
    static const struct limits wrong[] = {
        {.level = UINT64_C(1) << 32, .time_ms = 1, .cpu = 0},
        {.level = 1, .time_ms = UINT64_MAX / 1000000, .cpu = 0},
        {.level = 1, .time_ms = 1, .cpu = INT64_C(1) << 32},
        {.level = 1, .time_ms = 1, .cpu = -(INT64_C(1) << 32) - 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ask(&request, 1, wrong[i]);
        CHECK(rtg_request_parse(&request) != NULL);
    }
    ask(&request, 1, (struct limits){.level = UINT32_MAX, .time_ms = 1, .cpu = INT32_MAX});
    CHECK(rtg_request_parse(&request) == NULL);
    CHECK_EQUAL(request.limits.cpu, INT32_MAX);
}

void test_request(void)
{
    static struct rtg_request request;
    good(&request, 2);
    const char *error = rtg_request_parse(&request);
    CHECK(error == NULL);
    CHECK(!request.list);
    CHECK(request.dirty);
    CHECK_EQUAL(request.limits.max_level, 79);
    CHECK_EQUAL(request.limits.cpu, -1);
    CHECK_EQUAL(request.limits.memory, 1 << 20);
    CHECK_EQUAL(request.limits.time_ns, 5000000000);
    CHECK_EQUAL(request.jobs, 2);
    for (int i = 0; i < 2; i++) {
        CHECK_TEXT(request.job[i].id, "THR-P-SLS");
        CHECK_EQUAL(request.job[i].samples, 10000);
        CHECK_EQUAL(request.job[i].params, 2);
        CHECK_TEXT(request.job[i].param[0].name, "kind");
        CHECK_TEXT(request.job[i].param[0].text, "counting");
        CHECK_TEXT(request.job[i].param[1].name, "threads");
        CHECK(request.job[i].param[1].text == NULL);
        CHECK_EQUAL(request.job[i].param[1].number, 1000);
    }
    good(&request, RTG_MAX_JOBS + 1 < 600 ? RTG_MAX_JOBS + 1 : 2);
    CHECK_TEXT(rtg_request_parse(&request),
               "the request has more jobs than this engine takes at once");
}

/* Cut at every place, and each byte changed in several ways: no crash (the
 * sanitizers watch), and a cut request is never taken for whole. */
void test_request_damaged(void)
{
    static struct rtg_request request;
    size_t size = good(&request, 2);
    for (size_t cut = 0; cut < size; cut++) {
        good(&request, 2);
        request.payload_size = cut;
        CHECK(rtg_request_parse(&request) != NULL);
    }
    for (size_t at = 0; at < size; at++) {
        for (unsigned flip = 1; flip < 256; flip = flip << 1 | 1) {
            good(&request, 2);
            request.frame[4 + at] ^= (uint8_t)flip;
            (void)rtg_request_parse(&request);
            CHECK(request.jobs <= RTG_MAX_JOBS);
        }
    }
}
