/* What a test says of itself beside its samples. */
#include <string.h>

#include "core.h"

void rtg_append(char *to, size_t size, const char *text)
{
    size_t used = strlen(to), add = strlen(text);
    if (used + 1 >= size)
        return;
    if (add > size - 1 - used)
        add = size - 1 - used;
    memcpy(to + used, text, add);
    to[used + add] = 0;
}

void rtg_append_number(char *to, size_t size, uint64_t number)
{
    char digits[21];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    rtg_append(to, size, digits + at);
}

enum rtg_outcome rtg_reason(struct rtg_run *run, enum rtg_outcome outcome, const char *why)
{
    struct rtg_core *core = rtg_core_of(run);
    if (core->reason[0] == 0 && why != NULL)
        rtg_append(core->reason, sizeof core->reason, why);
    return outcome;
}

static const struct {
    const char *text;
    enum rtg_outcome outcome;
} meaning[] = {
    [RTG_OK] = {"reported no error where one was expected", RTG_INVALID},
    [RTG_ENOSUP] = {"this system has no such thing", RTG_NOT_SUPPORTED},
    [RTG_EPERM] = {"a privilege is missing", RTG_NOT_PERMITTED},
    [RTG_ETIMEOUT] = {"the time limit was reached", RTG_INVALID},
    [RTG_EBUSY] = {"the object is in use", RTG_INVALID},
    [RTG_EFULL] = {"out of memory, handles or another resource", RTG_INVALID},
    [RTG_EINVAL] = {"an argument was refused", RTG_INVALID},
    [RTG_EFAIL] = {"failed", RTG_INVALID},
};

static size_t kind_of(int error)
{
    return error >= 0 && error <= RTG_EFAIL ? (size_t)error : RTG_EFAIL;
}

const char *rtg_error_text(int error)
{
    return meaning[kind_of(error)].text;
}

enum rtg_outcome rtg_error(struct rtg_run *run, int error, const char *call)
{
    struct rtg_core *core = rtg_core_of(run);
    if (core->reason[0] == 0) {
        rtg_append(core->reason, sizeof core->reason, call);
        rtg_append(core->reason, sizeof core->reason, ": ");
        rtg_append(core->reason, sizeof core->reason, rtg_error_text(error));
    }
    return meaning[kind_of(error)].outcome;
}

static struct rtg_out *record(struct rtg_run *run, uint32_t pairs, const char *kind,
                              const char *name)
{
    struct rtg_out *out = &rtg_core_of(run)->out;
    rtg_record_begin(out, pairs);
    rtg_put_text(out, "r");
    rtg_put_text(out, kind);
    rtg_put_text(out, "name");
    rtg_put_text(out, name);
    return out;
}

void rtg_check(struct rtg_run *run, enum rtg_check_role role, const char *name, bool holds,
               const char *what)
{
    static const char *const roles[] = {"property", "control", "report"};
    struct rtg_out *out = record(run, 5, "check", name);
    rtg_put_text(out, "role");
    rtg_put_text(out, roles[role]);
    rtg_put_text(out, "holds");
    rtg_put_bool(out, holds);
    rtg_put_text(out, "what");
    rtg_put_text(out, what);
    rtg_record_end(out);
}

void rtg_unchecked(struct rtg_run *run, const char *name, const char *why)
{
    struct rtg_out *out = record(run, 3, "unchecked", name);
    rtg_put_text(out, "why");
    rtg_put_text(out, why);
    rtg_record_end(out);
}

void rtg_evidence(struct rtg_run *run, const char *name, int64_t value, const char *unit)
{
    bool has_unit = unit[0] != 0;
    struct rtg_out *out = record(run, has_unit ? 4 : 3, "evidence", name);
    rtg_put_text(out, "value");
    rtg_put_int(out, value);
    if (has_unit) {
        rtg_put_text(out, "unit");
        rtg_put_text(out, unit);
    }
    rtg_record_end(out);
}

void rtg_evidence_switches(struct rtg_run *run, const char *name, int64_t value)
{
    struct rtg_thread_state state = {.involuntary = 0};
    if (rtg_thread_query(NULL, &state) == RTG_OK && state.involuntary == UINT64_MAX)
        rtg_unchecked(run, name, "this system does not count such switches");
    else
        rtg_evidence(run, name, value, "");
}

void rtg_evidence_text(struct rtg_run *run, const char *name, const char *text)
{
    struct rtg_out *out = record(run, 3, "evidence", name);
    rtg_put_text(out, "value");
    rtg_put_text(out, text);
    rtg_record_end(out);
}

void rtg_evidence_kernel(struct rtg_run *run, const char *name, void (*op)(void *), void *arg)
{
    bool entered = false;
    const char *how = NULL;
    char text[160] = "";
    if (rtg_kernel_entered(op, arg, &entered, &how) != RTG_OK) {
        rtg_unchecked(run, name, how != NULL ? how : "this system offers no way to find out");
        return;
    }
    rtg_append(text, sizeof text, entered ? "yes (" : "no (");
    rtg_append(text, sizeof text, how);
    rtg_append(text, sizeof text, ")");
    rtg_evidence_text(run, name, text);
}
