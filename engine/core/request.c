/* The request, understood in place and without allocation. Everything in it is
 * checked: the engine trusts its host no more than the host trusts the engine. */
#include <string.h>

#include "core.h"

struct reader {
    uint8_t *at;
    uint8_t *end;
    const char *error;
};

enum { UNSIGNED = 0, NEGATIVE = 1, BYTES = 2, TEXT = 3, ARRAY = 4, MAP = 5, SIMPLE = 7 };

static uint64_t fail(struct reader *r, const char *why)
{
    if (r->error == NULL)
        r->error = why;
    r->at = r->end;
    return 0;
}

/* Reads the head of an item; returns its value, *major its kind. */
static uint64_t head(struct reader *r, unsigned *major)
{
    *major = SIMPLE;
    if (r->at >= r->end)
        return fail(r, "the request ends too early");
    unsigned first = *r->at++;
    unsigned info = first & 31;
    *major = first >> 5;
    if (info < 24)
        return info;
    if (info > 27)
        return fail(r, "the request uses indefinite lengths");
    unsigned size = 1u << (info - 24);
    if ((size_t)(r->end - r->at) < size)
        return fail(r, "the request ends too early");
    uint64_t value = 0;
    while (size-- != 0)
        value = value << 8 | *r->at++;
    return value;
}

static uint64_t number(struct reader *r)
{
    unsigned major;
    uint64_t value = head(r, &major);
    return major == UNSIGNED ? value : fail(r, "the request has no number where one belongs");
}

static uint64_t bounded(struct reader *r, uint64_t most)
{
    uint64_t value = number(r);
    return value <= most ? value : fail(r, "a limit of the request is out of range");
}

static int64_t integer(struct reader *r)
{
    unsigned major;
    uint64_t value = head(r, &major);
    if ((major != UNSIGNED && major != NEGATIVE) || value > INT32_MAX)
        return (int64_t)fail(r, "the request has no integer where one belongs");
    return major == UNSIGNED ? (int64_t)value : -1 - (int64_t)value;
}

static bool truth(struct reader *r)
{
    enum { FALSE = 20, TRUE = 21 };
    unsigned major;
    uint64_t value = head(r, &major);
    if (major != SIMPLE || (value != FALSE && value != TRUE))
        fail(r, "the request has neither true nor false where one belongs");
    return value == TRUE;
}

static uint64_t items(struct reader *r, unsigned want)
{
    unsigned major;
    uint64_t count = head(r, &major);
    if (major != want || count > (uint64_t)(r->end - r->at))
        return fail(r, "the request has a wrong structure");
    return count;
}

/* A text, moved over its own head by one byte so that a zero fits behind it. */
static const char *text(struct reader *r)
{
    unsigned major;
    uint64_t size = head(r, &major);
    if (major != TEXT || size > (uint64_t)(r->end - r->at)) {
        fail(r, "the request has no text where one belongs");
        return "";
    }
    uint8_t *to = r->at - 1;
    memmove(to, r->at, (size_t)size);
    to[size] = 0;
    r->at += size;
    return (const char *)to;
}

static void skip(struct reader *r, unsigned depth)
{
    unsigned major;
    uint64_t value = head(r, &major);
    if (depth == 0 || major == 6) {
        fail(r, "the request is nested too deeply");
    } else if (major == BYTES || major == TEXT) {
        if (value > (uint64_t)(r->end - r->at))
            fail(r, "the request ends too early");
        else
            r->at += value;
    } else if (major == ARRAY || major == MAP) {
        for (uint64_t i = 0; i < value && r->error == NULL; i++) {
            skip(r, depth - 1);
            if (major == MAP)
                skip(r, depth - 1);
        }
    }
}

static void read_params(struct reader *r, struct rtg_job *job)
{
    uint64_t pairs = items(r, MAP);
    if (pairs > RTG_MAX_PARAMS) {
        fail(r, "a job of the request has too many parameters");
        return;
    }
    for (; job->params < pairs && r->error == NULL; job->params++) {
        struct rtg_job_param *param = &job->param[job->params];
        param->name = text(r);
        param->text = NULL;
        if (r->at < r->end && *r->at >> 5 == TEXT)
            param->text = text(r);
        else
            param->number = number(r);
    }
}

static void read_job(struct reader *r, struct rtg_job *job)
{
    memset(job, 0, sizeof *job);
    job->id = "";
    for (uint64_t pairs = items(r, MAP); pairs != 0 && r->error == NULL; pairs--) {
        const char *key = text(r);
        if (rtg_same(key, "id")) {
            job->id = text(r);
        } else if (rtg_same(key, "samples")) {
            job->samples = (uint32_t)bounded(r, UINT32_MAX);
        } else if (rtg_same(key, "params")) {
            read_params(r, job);
        } else {
            skip(r, 8);
        }
    }
}

static void read_jobs(struct reader *r, struct rtg_request *request)
{
    uint64_t count = items(r, ARRAY);
    if (count > RTG_MAX_JOBS) {
        fail(r, "the request has more jobs than this engine takes at once");
        return;
    }
    for (; request->jobs < count && r->error == NULL; request->jobs++)
        read_job(r, &request->job[request->jobs]);
}

static void read_loads(struct reader *r, struct rtg_request *request)
{
    uint64_t count = items(r, ARRAY);
    if (count > RTG_MAX_LOADS) {
        fail(r, "the request has more loads than this engine runs at once");
        return;
    }
    for (; request->loads < count && r->error == NULL; request->loads++)
        request->load[request->loads] = text(r);
}

static enum rtg_load_cpus load_cpus(const char *word)
{
    if (rtg_same(word, "all"))
        return RTG_LOAD_ANYWHERE;
    return rtg_same(word, "reserved") ? RTG_LOAD_AWAY : RTG_LOAD_BESIDE;
}

static void read_limits(struct reader *r, struct rtg_limits *limits)
{
    for (uint64_t pairs = items(r, MAP); pairs != 0 && r->error == NULL; pairs--) {
        const char *key = text(r);
        if (rtg_same(key, "level"))
            limits->max_level = (uint32_t)bounded(r, UINT32_MAX);
        else if (rtg_same(key, "cpu"))
            limits->cpu = (int32_t)integer(r);
        else if (rtg_same(key, "memory"))
            limits->memory = bounded(r, SIZE_MAX);
        else if (rtg_same(key, "time_ms"))
            limits->time_ns = bounded(r, UINT64_MAX / 4 / 1000000u) * 1000000u;
        else
            skip(r, 8);
    }
}

const char *rtg_request_parse(struct rtg_request *request)
{
    uint8_t *begin = (uint8_t *)(uintptr_t)request->payload;
    struct reader r = {begin, begin + request->payload_size, NULL};
    bool version = false;
    request->jobs = 0;
    request->loads = 0;
    request->limits = (struct rtg_limits){.max_level = UINT32_MAX, .cpu = -1};
    for (uint64_t pairs = items(&r, MAP); pairs != 0 && r.error == NULL; pairs--) {
        const char *key = text(&r);
        if (rtg_same(key, "version")) {
            version = number(&r) == RTG_TRACE_VERSION;
        } else if (rtg_same(key, "op")) {
            request->list = rtg_same(text(&r), "list");
        } else if (rtg_same(key, "limits")) {
            read_limits(&r, &request->limits);
        } else if (rtg_same(key, "cache")) {
            request->dirty = rtg_same(text(&r), "dirty");
        } else if (rtg_same(key, "jobs")) {
            read_jobs(&r, request);
        } else if (rtg_same(key, "loads")) {
            read_loads(&r, request);
        } else if (rtg_same(key, "cpus")) {
            request->load_cpus = load_cpus(text(&r));
        } else if (rtg_same(key, "break_on_ns")) {
            request->break_on_ns = bounded(&r, INT64_MAX);
        } else if (rtg_same(key, "events")) {
            request->events = truth(&r);
        } else if (rtg_same(key, "accumulate")) {
            request->accumulate = truth(&r);
        } else if (rtg_same(key, "raw")) {
            request->raw = bounded(&r, UINT64_MAX);
        } else if (rtg_same(key, "bins")) {
            request->bins = (uint32_t)bounded(&r, RTG_MOST_BINS);
        } else if (rtg_same(key, "beyond")) {
            request->beyond = (uint32_t)bounded(&r, RTG_MOST_BINS);
        } else if (rtg_same(key, "live")) {
            request->live = truth(&r);
        } else {
            skip(&r, 8);
        }
    }
    if (r.error == NULL && !version)
        return "the request is of another version than this engine";
    return r.error;
}

static uint32_t little_endian(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

const char *rtg_request_read(struct rtg_request *request)
{
    size_t size = 0;
    do {
        if (size == sizeof request->frame)
            return "the request is longer than a frame of this engine";
        if (rtg_port_read(request->frame + size, 1) != 1)
            return "no request came";
    } while (request->frame[size++] != 0);
    size_t used = rtg_cobs_decode(request->frame, size - 1, request->frame);
    if (used == (size_t)-1 || used < 9)
        return "the request is damaged (framing)";
    if (little_endian(request->frame + used - 4) != rtg_crc32c(0, request->frame, used - 4))
        return "the request is damaged (checksum)";
    request->payload = request->frame + 4;
    request->payload_size = used - 8;
    return NULL;
}
