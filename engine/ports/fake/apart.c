/* Did an operation enter the kernel? It runs in a child: a whole copy of this
 * little system, which ends at the first entry. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake.h"

#define ENTERED 40
#define DID_NOT_ENTER 41
#define CHILD_REAL_SECONDS 5u

static bool is_apart;

void fake_apart_entered(void)
{
    if (is_apart)
        _exit(ENTERED);
}

static _Noreturn void run_apart(void (*op)(void *), void *arg)
{
    alarm(CHILD_REAL_SECONDS);
    is_apart = true;
    op(arg);
    _exit(DID_NOT_ENTER);
}

int rtg_kernel_entered(void (*op)(void *), void *arg, bool *entered, const char **how)
{
    if (!op || !entered || !how)
        return RTG_EINVAL;
    fake_compute(fake_costs.syscall);
    pid_t child = fork();
    if (child == 0)
        run_apart(op, arg);
    int status;
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return RTG_EFAIL;
    if (child < 0 || !WIFEXITED(status))
        return RTG_EFAIL;
    if (WEXITSTATUS(status) != ENTERED && WEXITSTATUS(status) != DID_NOT_ENTER)
        return RTG_EFAIL;
    *entered = WEXITSTATUS(status) == ENTERED;
    *how = "counted by the fake port in a copy of the process";
    return RTG_OK;
}
