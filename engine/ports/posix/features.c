/* Finds out what the system offers by trying it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "features_try.h"

enum { LIMIT_S = 3, BYTES = 4096 };

/* ---- for the tries --------------------------------------------------------- */

int posix_try_file(void)
{
    char name[] = "/tmp/rtgauge.XXXXXX";
    int file = mkstemp(name);
    if (file < 0)
        return -1;
    unlink(name);
    return ftruncate(file, BYTES) == 0 ? file : -1;
}

/* A process that may crash: nobody looks at it then, and it leaves nothing behind. */
static void be_expendable(void)
{
    static const struct rlimit none;
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    sigaction(SIGSEGV, &standard, NULL);
    sigaction(SIGBUS, &standard, NULL);
    setrlimit(RLIMIT_CORE, &none);
    alarm(LIMIT_S);
}

int posix_try_apart(int (*part)(void *), void *arg)
{
    int status = -1;
    pid_t id = fork();
    if (id == 0) {
        be_expendable();
        _exit(part(arg));
    }
    if (id < 0 || waitpid(id, &status, 0) != id)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int posix_try_policy(int policy, int above_lowest)
{
    struct sched_param param = {.sched_priority = sched_get_priority_min(policy) + above_lowest};
    return pthread_setschedparam(pthread_self(), policy, &param);
}

/* ---- one try --------------------------------------------------------------- */

/* Of a name that nobody gave to a function: what a try of a missing call looks like. */
extern int rtg_posix_no_such_call(void) __attribute__((weak));

static int no_such_call(void)
{
    return works(rtg_posix_no_such_call != NULL);
}

static const struct feature *find(uint32_t number)
{
    static const struct feature no_call = {
        NULL, "declared: POSIX has no call for it, and this port knows none", RTG_ENOSUP};
    static const struct feature nowhere = {no_such_call, "a call that no system has", 0};
    const struct feature *const tables[] = {posix_file_features, posix_realtime_features,
                                            posix_thread_features};
    if (number >= RTG_FEATURES)
        return &nowhere;
    if (posix_api_features[number].how != NULL)
        return &posix_api_features[number];
    if (posix_object_features[number].how != NULL)
        return &posix_object_features[number];
    for (unsigned i = 0; number < RTG_FIRST_API && i < sizeof tables / sizeof *tables; i++) {
        if (tables[i][number].how != NULL)
            return &tables[i][number];
    }
    return &no_call;
}

/* In the process of the try: in the normal class, so that it can be ended. */
static int run_try(void *arg)
{
    const struct feature *f = arg;
    struct sched_param none = {0};
    sigset_t all;
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &none);
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    return f->attempt();
}

static void say(char *text, size_t size, const char *how, const char *end)
{
    size_t used = strlen(how);
    used = used < size - 1 ? used : size - 1;
    memcpy(text, how, used);
    size_t more = strlen(end);
    more = more < size - 1 - used ? more : size - 1 - used;
    memcpy(text + used, end, more);
    text[used + more] = 0;
}

static const char *ending_of(int result)
{
    switch (result) {
    case RTG_OK:
        return ": tried, works";
    case RTG_ENOSUP:
        return ": tried, is missing or does not work";
    case RTG_EPERM:
        return ": tried, not permitted";
    case RTG_EINVAL:
        return ": tried, has no meaning here";
    case RTG_EFAIL:
        return ": could not be tried here";
    default:
        return ": tried, was killed or hung";
    }
}

int rtg_feature(uint32_t number, const char **how)
{
    static char text[160];
    const struct feature *f = find(number);
    *how = f->how;
    if (f->attempt == NULL)
        return f->answer;
    int result = posix_try_apart(run_try, (void *)(uintptr_t)f);
    say(text, sizeof text, f->how, ending_of(result));
    *how = text;
    return result < 0 || result > RTG_EFAIL ? RTG_ENOSUP : result;
}
