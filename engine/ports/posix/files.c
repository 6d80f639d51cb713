/* Files by POSIX calls, in the working directory that the host gave: it has a name by which
 * it is known. In any other folder nothing is touched. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "posix.h"

#define PREFIX "rtgauge-work." /* also in src/rtgauge/targets/_workspace.py */

static bool folder_is_ours(void)
{
    static int known = -1;
    char path[PATH_MAX];
    if (known < 0) {
        const char *name = getcwd(path, sizeof path) != NULL ? strrchr(path, '/') : NULL;
        known = name != NULL && strncmp(name + 1, PREFIX, sizeof PREFIX - 1) == 0;
    }
    return known == 1;
}

static int result_of(long result)
{
    if (result >= 0)
        return RTG_OK;
    switch (errno) {
    case EEXIST:
        return RTG_EBUSY;
    case EDQUOT:
    case EFBIG:
        return RTG_EFULL;
    default:
        return posix_error(errno);
    }
}

/* The file's name: its number in four digits. */
static int open_as(struct rtg_file *f, uint32_t number, int how)
{
    char name[5];
    if (!folder_is_ours())
        return RTG_ENOSUP;
    if (number >= RTG_FILE_NUMBERS)
        return RTG_EINVAL;
    for (int i = 3; i >= 0; i--, number /= 10)
        name[i] = (char)('0' + number % 10);
    name[4] = 0;
    if (f == NULL)
        return result_of(unlink(name));
    f->handle = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | how, 0600);
    return result_of(f->handle);
}

int rtg_files_where(struct rtg_files *files)
{
    if (!folder_is_ours())
        return RTG_ENOSUP;
    int folder = open(".", O_RDONLY | O_CLOEXEC);
    if (folder < 0)
        return posix_error(errno);
    int error = os_files_where(folder, files);
    close(folder);
    return error;
}

int rtg_file_create(struct rtg_file *f, uint32_t number)
{
    return open_as(f, number, O_CREAT | O_EXCL);
}

int rtg_file_open(struct rtg_file *f, uint32_t number)
{
    return open_as(f, number, 0);
}

int rtg_file_close(struct rtg_file *f)
{
    return result_of(close(f->handle));
}

int rtg_file_delete(uint32_t number)
{
    return open_as(NULL, number, 0);
}

int rtg_file_read(struct rtg_file *f, uint64_t at, void *to, uint32_t bytes)
{
    ssize_t got;
    do
        got = pread(f->handle, to, bytes, (off_t)at);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)bytes ? RTG_OK : got < 0 ? result_of(got) : RTG_EFAIL;
}

/* What was written in part is tried again: the second call tells why it was not whole. */
int rtg_file_write(struct rtg_file *f, uint64_t at, const void *from, uint32_t bytes)
{
    const char *rest = from;
    while (bytes != 0) {
        ssize_t done = pwrite(f->handle, rest, bytes, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? result_of(done) : RTG_EFAIL;
        rest += done;
        at += (uint64_t)done;
        bytes -= (uint32_t)done;
    }
    return RTG_OK;
}

int rtg_file_flush(struct rtg_file *f)
{
    return result_of(fdatasync(f->handle));
}

int rtg_file_forget(struct rtg_file *f)
{
#ifdef POSIX_FADV_DONTNEED
    return posix_error(posix_fadvise(f->handle, 0, 0, POSIX_FADV_DONTNEED));
#else
    (void)f;
    return RTG_ENOSUP;
#endif
}

int rtg_file_cached(struct rtg_file *f, uint64_t at, uint32_t bytes, bool *cached, const char **how)
{
    return os_file_cached(f->handle, at, bytes, cached, how);
}
