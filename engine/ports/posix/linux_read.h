/* linux_read.h - small files of /proc and /sys as text. */
#ifndef RTG_POSIX_LINUX_READ_H
#define RTG_POSIX_LINUX_READ_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* The beginning of a file; false where there is none. */
static inline bool linux_read(const char *path, char *to, size_t size)
{
    size_t used = 0;
    ssize_t got = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    while (used < size - 1 && (got = read(file, to + used, size - 1 - used)) > 0)
        used += (size_t)got;
    close(file);
    to[used] = 0;
    return used != 0;
}

/* Whether the kernel is a PREEMPT_RT one. */
static inline bool linux_is_realtime(void)
{
    char text[4];
    return linux_read("/sys/kernel/realtime", text, sizeof text) && text[0] == '1';
}

#endif
