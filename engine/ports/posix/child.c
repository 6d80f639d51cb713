/* Processes beside the engine's own: copies of it that share what was asked to be shared. */
#include "posix.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEFT_EARLY = 1 };

void *rtg_shared_get(size_t *bytes)
{
    void *memory = *bytes == 0 ? NULL : os_shared_map(*bytes);
    while (memory == NULL && (*bytes /= 2) != 0)
        memory = os_shared_map(*bytes);
    if (memory != NULL)
        mlock(memory, *bytes);
    return memory;
}

void rtg_shared_put(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}

/* In the child. Its creator waits for one byte, the error of the preparation. */
static void live(const struct rtg_thread_spec *spec, int answer)
{
    static struct rtg_thread only;
    os_die_with_parent();
    mlockall(MCL_CURRENT | MCL_FUTURE); /* not inherited; touches each page as well */
    unsigned char error = (unsigned char)posix_become(&only, spec);
    if (write(answer, &error, 1) != 1 || error != RTG_OK)
        _exit(LEFT_EARLY);
    close(answer);
    spec->entry(spec->arg);
    _exit(0);
}

static int reap(pid_t id, int *status)
{
    pid_t got;
    do
        got = waitpid(id, status, 0);
    while (got < 0 && errno == EINTR);
    return got == id ? RTG_OK : RTG_EFAIL;
}

/* The child's answer; EFAIL when it ended without one. */
static int answer_of(int from)
{
    unsigned char error = RTG_EFAIL;
    ssize_t got;
    do
        got = read(from, &error, 1);
    while (got < 0 && errno == EINTR);
    return got == 1 ? error : RTG_EFAIL;
}

int rtg_process_create(struct rtg_process *p, const struct rtg_thread_spec *spec)
{
    bool leveled = spec->policy == RTG_FIFO || spec->policy == RTG_RR;
    int ends[2], status;
    if (leveled && spec->level >= rtg_level_count())
        return RTG_EINVAL;
    if (pipe(ends) != 0)
        return posix_error(errno);
    pid_t id = fork();
    if (id == 0) {
        close(ends[0]);
        live(spec, ends[1]);
    }
    int error = id < 0 ? posix_error(errno) : RTG_OK;
    close(ends[1]);
    if (error == RTG_OK) {
        p->id = id;
        error = answer_of(ends[0]);
        if (error != RTG_OK)
            reap(id, &status);
    }
    close(ends[0]);
    return error;
}

int rtg_process_join(struct rtg_process *p)
{
    int status, error = reap((pid_t)p->id, &status);
    if (error != RTG_OK)
        return error;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? RTG_OK : RTG_EFAIL;
}

int rtg_process_kill(struct rtg_process *p)
{
    int status;
    if (kill((pid_t)p->id, SIGKILL) != 0)
        return posix_error(errno);
    return reap((pid_t)p->id, &status);
}
