/* What the system is built like, as far as a process can find out. */
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "features_try.h"

enum { ROOM = 1 << 21, SMALLEST = 64, WRITTEN = 7, OTHERS = 40 };

static int *kept;

static int write_own(void *unused)
{
    (void)unused;
    *kept = WRITTEN;
    return *kept == WRITTEN ? WRITTEN : 0;
}

/* Another process writes at the same address, and this one does not see it. */
static bool memory_is_apart(void)
{
    static int own;
    kept = &own;
    own = 1;
    return posix_try_apart(write_own, NULL) == WRITTEN && own == 1;
}

static int write_at(void *at)
{
    *(volatile char *)at = 1;
    return WRITTEN;
}

static char *fresh(void)
{
    int file = posix_try_file();
    void *at = file < 0 || ftruncate(file, ROOM) != 0
                   ? MAP_FAILED
                   : mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    return at == MAP_FAILED ? NULL : at;
}

/* The distance from one byte that is protected to the next that is not; 0: unknown. */
static int64_t page_size(void)
{
    char *at = fresh();
    int64_t found = 0;
    if (at == NULL)
        return 0;
    if (mprotect(at, 1, PROT_READ) == 0 && posix_try_apart(write_at, at) == -1) {
        for (size_t bytes = SMALLEST; found == 0 && bytes < ROOM; bytes *= 2)
            found = posix_try_apart(write_at, at + bytes) == WRITTEN ? (int64_t)bytes : 0;
    }
    munmap(at, ROOM);
    return found;
}

static int faults_when_touched(void *at)
{
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    for (size_t i = 0; i < ROOM; i += ROOM / OTHERS)
        ((volatile char *)at)[i] = 1;
    getrusage(RUSAGE_SELF, &after);
    return after.ru_minflt - before.ru_minflt >= OTHERS / 2 ? WRITTEN : 0;
}

static int map_and_touch(void *unused)
{
    (void)unused;
    munlockall(); /* else it is touched when it is mapped */
    char *at = fresh();
    return at == NULL ? 0 : faults_when_touched(at);
}

static int64_t largest_tasks(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    return (int64_t)limit.rlim_cur;
}

static int tried(struct rtg_trait_value *value, bool holds, int64_t number, const char *how)
{
    *value = (struct rtg_trait_value){.holds = holds, .tried = true, .number = number, .how = how};
    return RTG_OK;
}

int rtg_trait(enum rtg_trait trait, struct rtg_trait_value *value)
{
    switch (trait) {
    case RTG_TASK_MODEL:
        return tried(value, memory_is_apart(), 0,
                     "fork: what one process writes the other does not see; threads share all");
    case RTG_MMU:
        return tried(value, memory_is_apart(), 0,
                     "two processes have different contents at the same address");
    case RTG_PAGE_SIZE: {
        int64_t bytes = page_size();
        return tried(value, bytes > 0, bytes, "what mprotect of one byte protects");
    }
    case RTG_PAGING:
        return tried(value, posix_try_apart(map_and_touch, NULL) == WRITTEN, 0,
                     "page faults were counted when memory was touched first");
    case RTG_PROTECTION:
        return tried(value, posix_try_apart(write_at, (void *)1) == -1 && memory_is_apart(), 0,
                     "a process that wrote where nothing is was ended, and only that");
    case RTG_PRIVILEGE:
        return tried(value, posix_try_apart(write_at, (char *)(UINTPTR_MAX - ROOM)) == -1, 0,
                     "a process that wrote to the highest addresses was ended");
    case RTG_LARGEST_TASKS: {
        int64_t most = largest_tasks();
        *value = (struct rtg_trait_value){most > 0, false, most, "the limit RLIMIT_NPROC"};
        return most > 0 ? RTG_OK : RTG_ENOSUP;
    }
    default:
        return os_trait(trait, value);
    }
}
