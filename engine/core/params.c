/* The parameters of a job, as the test sees them. */
#include <string.h>

#include "core.h"

static const struct rtg_job_param *param_of(const struct rtg_job *job, const char *name)
{
    for (uint32_t i = 0; i < job->params; i++) {
        if (rtg_same(job->param[i].name, name))
            return &job->param[i];
    }
    return NULL;
}

uint64_t rtg_number(const struct rtg_run *run, const char *name)
{
    const struct rtg_job_param *param = param_of(rtg_core_of(run)->job, name);
    return param == NULL ? 0 : param->number;
}

bool rtg_is(const struct rtg_run *run, const char *name, const char *choice)
{
    const struct rtg_job_param *param = param_of(rtg_core_of(run)->job, name);
    return param != NULL && param->text != NULL && rtg_same(param->text, choice);
}

static bool has_word(const char *words, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = words; size != 0 && (at = strstr(at, word)) != NULL; at += size) {
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0))
            return true;
    }
    return false;
}

/* The bounds of numbers are the host's to check; here only what would make the
 * test see nonsense: a missing parameter, a wrong kind, an unknown choice. */
const char *rtg_check_params(const struct rtg_test *test, const struct rtg_job *job)
{
    uint32_t count = 0;
    for (; count < RTG_MAX_PARAMS && test->params[count].name != NULL; count++) {
        const struct rtg_param *want = &test->params[count];
        const struct rtg_job_param *got = param_of(job, want->name);
        if (got == NULL)
            return "the request leaves out a parameter of this test";
        if ((want->kind == RTG_CHOICE) != (got->text != NULL))
            return "the request gives a parameter of the wrong kind";
        if (want->kind == RTG_CHOICE && !has_word(want->legal, got->text))
            return "the request gives a parameter a value that this test does not have";
    }
    return count == job->params ? NULL
                                : "the request gives a parameter that this test does not have";
}
