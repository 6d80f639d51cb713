/* Loaded before the C library of a host under test: counts the calls that change a file below one folder, and ends the
 * process by SIGKILL at the n-th of them: before it, or, where it writes, after half of its bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char below[4096]; /* the folder; "" counts nothing */
static size_t length;
static long seen, last, torn;

/* For the host under test: counts anew, and dies at call `at` (from 1; 0: never); `half` of it when it is a write. */
void kills_arm(const char *folder, long at, long half)
{
    snprintf(below, sizeof below, "%s", folder);
    length = strlen(below);
    seen = 0;
    last = at;
    torn = half;
}

long kills_seen(void)
{
    return seen;
}

static int is_ours(const char *path)
{
    return length != 0 && path != NULL && strncmp(path, below, length) == 0;
}

static int is_ours_open(int handle)
{
    char link[64], path[4096];
    if (length == 0)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t got = readlink(link, path, sizeof path - 1);
    path[got < 0 ? 0 : got] = 0;
    return is_ours(path);
}

/* True when this is the call to die at, and its first half is wanted. */
static int is_last(int ours)
{
    if (!ours || ++seen != last)
        return 0;
    if (!torn)
        kill(getpid(), SIGKILL);
    return 1;
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define AROUND(ours, call)                                                                                            \
    do {                                                                                                               \
        int now = is_last(ours);                                                                                       \
        __typeof__(call) result = (call);                                                                              \
        if (now)                                                                                                       \
            die();                                                                                                     \
        return result;                                                                                                 \
    } while (0)

ssize_t write(int handle, const void *from, size_t size)
{
    int now = is_last(is_ours_open(handle));
    ssize_t result = NEXT(write)(handle, from, now ? size / 2 : size);
    if (now)
        die();
    return result;
}

ssize_t pwrite(int handle, const void *from, size_t size, off_t at)
{
    int now = is_last(is_ours_open(handle));
    ssize_t result = NEXT(pwrite)(handle, from, now ? size / 2 : size, at);
    if (now)
        die();
    return result;
}

ssize_t pwrite64(int handle, const void *from, size_t size, off64_t at)
{
    int now = is_last(is_ours_open(handle));
    ssize_t result = NEXT(pwrite64)(handle, from, now ? size / 2 : size, at);
    if (now)
        die();
    return result;
}

static int creates(int flags)
{
    return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

static mode_t mode_of(int flags, va_list more)
{
    return creates(flags) ? va_arg(more, mode_t) : 0;
}

#define OPEN(name)                                                                                                    \
    int name(const char *path, int flags, ...)                                                                        \
    {                                                                                                                  \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = mode_of(flags, more);                                                                            \
        va_end(more);                                                                                                  \
        AROUND(creates(flags) && is_ours(path), NEXT(name)(path, flags, mode));                                        \
    }

#define OPENAT(name)                                                                                                  \
    int name(int folder, const char *path, int flags, ...)                                                            \
    {                                                                                                                  \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = mode_of(flags, more);                                                                            \
        va_end(more);                                                                                                  \
        AROUND(creates(flags) && is_ours(path), NEXT(name)(folder, path, flags, mode));                                \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int fsync(int handle)
{
    AROUND(is_ours_open(handle), NEXT(fsync)(handle));
}

int fdatasync(int handle)
{
    AROUND(is_ours_open(handle), NEXT(fdatasync)(handle));
}

int ftruncate(int handle, off_t size)
{
    AROUND(is_ours_open(handle), NEXT(ftruncate)(handle, size));
}

int ftruncate64(int handle, off64_t size)
{
    AROUND(is_ours_open(handle), NEXT(ftruncate64)(handle, size));
}

int posix_fallocate64(int handle, off64_t from, off64_t size)
{
    AROUND(is_ours_open(handle), NEXT(posix_fallocate64)(handle, from, size));
}

int rename(const char *from, const char *to)
{
    AROUND(is_ours(to), NEXT(rename)(from, to));
}

int renameat(int folder, const char *from, int other, const char *to)
{
    AROUND(is_ours(to), NEXT(renameat)(folder, from, other, to));
}

int linkat(int folder, const char *from, int other, const char *to, int flags)
{
    AROUND(is_ours(to), NEXT(linkat)(folder, from, other, to, flags));
}

int unlink(const char *path)
{
    AROUND(is_ours(path), NEXT(unlink)(path));
}

int mkdir(const char *path, mode_t mode)
{
    AROUND(is_ours(path), NEXT(mkdir)(path, mode));
}

int rmdir(const char *path)
{
    AROUND(is_ours(path), NEXT(rmdir)(path));
}

int chmod(const char *path, mode_t mode)
{
    AROUND(is_ours(path), NEXT(chmod)(path, mode));
}
