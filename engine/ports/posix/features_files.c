/* Tries of processes, files and devices. */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "features_try.h"

enum { BYTES = 4096, ANSWER = 7 };

static int answer(void *unused)
{
    (void)unused;
    return ANSWER;
}

static int one_process(void)
{
    return works(getpid() > 0);
}

static int many_processes(void)
{
    return works(posix_try_apart(answer, NULL) == ANSWER);
}

static int job_control(void)
{
    int status;
    pid_t id = fork();
    if (id == 0) {
        pause();
        _exit(0);
    }
    bool right = id > 0 && setpgid(id, id) == 0 && getpgid(id) == id;
    right = right && kill(-id, SIGSTOP) == 0 && waitpid(id, &status, WUNTRACED) == id &&
            WIFSTOPPED(status);
    right = right && kill(-id, SIGCONT) == 0 && waitpid(id, &status, WCONTINUED) == id &&
            WIFCONTINUED(status);
    kill(id, SIGKILL);
    return works(right);
}

static volatile sig_atomic_t came;

static void note(int number)
{
    came = number;
}

static int signals(void)
{
    struct sigaction action;
    sigset_t set, waiting;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    bool right = sigaction(SIGUSR1, &action, NULL) == 0 &&
                 sigprocmask(SIG_BLOCK, &set, NULL) == 0 && raise(SIGUSR1) == 0 && came == 0;
    right = right && sigpending(&waiting) == 0 && sigismember(&waiting, SIGUSR1) == 1;
    right = right && sigprocmask(SIG_UNBLOCK, &set, NULL) == 0;
    return works(right && came == SIGUSR1);
}

static int groups(void)
{
    gid_t list[64];
    int n = getgroups(0, NULL);
    return works(n >= 0 && (n > 64 || getgroups(64, list) == n) && setgid(getgid()) == 0);
}

static int file_system(void)
{
    char folder[] = "/tmp/rtgauge.XXXXXX", got[4];
    int file = posix_try_file();
    bool right = file >= 0 && pwrite(file, "four", 4, BYTES - 4) == 4 &&
                 pread(file, got, 4, BYTES - 4) == 4 && memcmp(got, "four", 4) == 0;
    right = right && mkdtemp(folder) != NULL && rmdir(folder) == 0;
    return file < 0 ? RTG_EFAIL : works(right);
}

static int file_attributes(void)
{
    struct stat is;
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 2000}};
    int file = posix_try_file();
    if (file < 0)
        return RTG_EFAIL;
    bool right = fchmod(file, 0400) == 0 && futimens(file, times) == 0 && fstat(file, &is) == 0;
    return works(right && (is.st_mode & 0777) == 0400 && is.st_mtime == 2000 &&
                 is.st_size == BYTES);
}

static int device_files(void)
{
    struct stat is;
    int file = open("/dev/null", O_RDWR);
    return works(file >= 0 && fstat(file, &is) == 0 && S_ISCHR(is.st_mode) && isatty(file) == 0);
}

static int ask_for_lock(void *file)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    return fcntl(*(int *)file, F_SETLK, &lock) == 0 ? 0
           : errno == EAGAIN || errno == EACCES     ? 1
                                                    : 2;
}

static int file_locking(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    int file = posix_try_file();
    if (file < 0)
        return RTG_EFAIL;
    bool held = fcntl(file, F_SETLK, &lock) == 0 && posix_try_apart(ask_for_lock, &file) == 1;
    lock.l_type = F_UNLCK;
    return works(held && fcntl(file, F_SETLK, &lock) == 0 &&
                 posix_try_apart(ask_for_lock, &file) == 0);
}

static int device_io(void)
{
    char got[4] = "four";
    int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_RDWR);
    bool right = null >= 0 && write(null, got, 4) == 4 && read(null, got, 4) == 0;
    return works(right && zero >= 0 && read(zero, got, 4) == 4 && memcmp(got, "\0\0\0\0", 4) == 0);
}

static int device_specifics(void)
{
    struct termios is, then;
    int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    if (terminal < 0)
        return RTG_EFAIL;
    bool right = tcgetattr(terminal, &is) == 0;
    is.c_lflag ^= ECHO;
    right = right && tcsetattr(terminal, TCSANOW, &is) == 0 && tcgetattr(terminal, &then) == 0;
    return works(right && then.c_lflag == is.c_lflag);
}

static int system_database(void)
{
    const struct passwd *user = getpwuid(0);
    return works(user != NULL && user->pw_uid == 0 && getpwnam(user->pw_name) != NULL);
}

static int pipes(void)
{
    char got[4];
    int ends[2];
    bool right = pipe(ends) == 0 && write(ends[1], "four", 4) == 4 && close(ends[1]) == 0;
    return works(right && read(ends[0], got, 4) == 4 && read(ends[0], got, 4) == 0);
}

static int fifo_files(void)
{
    char folder[] = "/tmp/rtgauge.XXXXXX", got[4];
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return RTG_EFAIL;
    bool right = mkfifo("f", 0600) == 0;
    int from = open("f", O_RDONLY | O_NONBLOCK), to = open("f", O_WRONLY | O_NONBLOCK);
    right = right && from >= 0 && to >= 0 && write(to, "four", 4) == 4 && read(from, got, 4) == 4;
    unlink("f");
    rmdir(folder);
    return works(right);
}

static int rising(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int c_language(void)
{
    int three[3] = {3, 1, 2};
    char *end;
    qsort(three, 3, sizeof *three, rising);
    return works(three[0] == 1 && three[2] == 3 && strtol("42x", &end, 10) == 42 && *end == 'x');
}

static int synchronised_io(void)
{
    char name[] = "/tmp/rtgauge.XXXXXX";
    int first = mkstemp(name);
    int file = first < 0 ? -1 : open(name, O_RDWR | O_DSYNC);
    unlink(name);
    if (file < 0)
        return RTG_EFAIL;
    return works((fcntl(file, F_GETFL) & O_DSYNC) == O_DSYNC && write(file, "four", 4) == 4);
}

static int file_sync(void)
{
    int file = posix_try_file();
    if (file < 0)
        return RTG_EFAIL;
    return works(fsync(file) == 0 && fdatasync(file) == 0 && fsync(-1) != 0 && errno == EBADF);
}

static int mapped_files(void)
{
    char got[4];
    int file = posix_try_file();
    if (file < 0)
        return RTG_EFAIL;
    char *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        return RTG_ENOSUP;
    memcpy(at, "four", 4);
    return works(msync(at, BYTES, MS_SYNC) == 0 && pread(file, got, 4, 0) == 4 &&
                 memcmp(got, "four", 4) == 0);
}

static int write_there(void *at)
{
    *(volatile char *)at = 1;
    return ANSWER;
}

/* A write by another process ends it before the page is read-only, and after. */
static int memory_protection(void)
{
    int file = posix_try_file();
    void *at =
        file < 0 ? MAP_FAILED : mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED)
        return RTG_EFAIL;
    bool writable = posix_try_apart(write_there, at) == ANSWER;
    return works(writable && mprotect(at, BYTES, PROT_READ) == 0 &&
                 posix_try_apart(write_there, at) == -1);
}

static int spawn(void)
{
    static char *const words[] = {"sh", "-c", "exit 7", NULL};
    static char *const nothing[] = {NULL};
    pid_t id;
    int status, error = posix_spawn(&id, "/bin/sh", NULL, NULL, words, nothing);
    if (error != 0)
        return error == ENOENT ? RTG_EFAIL : RTG_ENOSUP;
    return works(waitpid(id, &status, 0) == id && WIFEXITED(status) &&
                 WEXITSTATUS(status) == ANSWER);
}

static int io_advice(void)
{
    int file = posix_try_file();
    if (file < 0)
        return RTG_EFAIL;
    return works(posix_fadvise(file, 0, 0, POSIX_FADV_WILLNEED) == 0 &&
                 posix_fadvise(file, 0, 0, 4711) == EINVAL &&
                 posix_fallocate(file, 0, (off_t)2 * BYTES) == 0);
}

/* Calls that no C library of today has; where one has, its being there is all that can be
 * tried without knowing the device. */
extern int posix_devctl(void) __attribute__((weak));
extern int posix_typed_mem_open(void) __attribute__((weak));
extern int posix_intr_associate(void) __attribute__((weak));

static int device_control(void)
{
    return works(posix_devctl != NULL);
}

static int typed_memory(void)
{
    return works(posix_typed_mem_open != NULL);
}

static int interrupt_control(void)
{
    return works(posix_intr_associate != NULL);
}

#define NEVER_A_STANDARD                                                                           \
    {NULL, "declared: the standard was never finished, so there is no call to try", RTG_ENOSUP}

const struct feature posix_file_features[RTG_FIRST_API] = {
    [RTG_POSIX_SINGLE_PROCESS] = {one_process, "getpid", 0},
    [RTG_POSIX_MULTIPLE_PROCESSES] = {many_processes, "fork and waitpid", 0},
    [RTG_POSIX_JOB_CONTROL] = {job_control, "setpgid; a group stopped and continued", 0},
    [RTG_POSIX_SIGNALS] = {signals, "sigaction, sigprocmask, sigpending", 0},
    [RTG_POSIX_USER_GROUPS] = {groups, "getgroups and setgid", 0},
    [RTG_POSIX_FILE_SYSTEM] = {file_system, "files and folders made, written, read, deleted", 0},
    [RTG_POSIX_FILE_ATTRIBUTES] = {file_attributes, "fchmod and futimens, seen by fstat", 0},
    [RTG_POSIX_DEVICE_FILES] = {device_files, "open and fstat of a device", 0},
    [RTG_POSIX_FILE_LOCKING] = {file_locking, "fcntl F_SETLK against another process", 0},
    [RTG_POSIX_DEVICE_IO] = {device_io, "read and write of devices", 0},
    [RTG_POSIX_DEVICE_SPECIFICS] = {device_specifics, "tcgetattr and tcsetattr of a terminal", 0},
    [RTG_POSIX_SYSTEM_DATABASE] = {system_database, "getpwuid and getpwnam", 0},
    [RTG_POSIX_PIPES] = {pipes, "pipe", 0},
    [RTG_POSIX_FIFO_FILES] = {fifo_files, "mkfifo", 0},
    [RTG_POSIX_C_LANGUAGE] = {c_language, "qsort and strtol", 0},
    [RTG_POSIX_SYNCHRONISED_IO] = {synchronised_io, "open with O_DSYNC", 0},
    [RTG_POSIX_FILE_SYNC] = {file_sync, "fsync and fdatasync", 0},
    [RTG_POSIX_MAPPED_FILES] = {mapped_files, "mmap and msync, seen by read", 0},
    [RTG_POSIX_MEMORY_PROTECTION] = {memory_protection, "mprotect ends a process that writes", 0},
    [RTG_POSIX_SPAWN] = {spawn, "posix_spawn", 0},
    [RTG_POSIX_IO_ADVICE] = {io_advice, "posix_fadvise and posix_fallocate", 0},
    [RTG_POSIX_DEVICE_CONTROL] = {device_control, "posix_devctl", 0},
    [RTG_POSIX_TYPED_MEMORY] = {typed_memory, "posix_typed_mem_open", 0},
    [RTG_POSIX_INTERRUPT_CONTROL] = {interrupt_control, "posix_intr_associate", 0},
    [RTG_POSIX_DISTRIBUTED_BUFFERS] = NEVER_A_STANDARD,
    [RTG_POSIX_DISTRIBUTED_CONTROL_BLOCKS] = NEVER_A_STANDARD,
    [RTG_POSIX_DISTRIBUTED_OPERATION] = NEVER_A_STANDARD,
    [RTG_POSIX_DISTRIBUTED_BOUNDED_BLOCKING] = NEVER_A_STANDARD,
    [RTG_POSIX_DISTRIBUTED_PRIORITIES] = NEVER_A_STANDARD,
    [RTG_POSIX_DISTRIBUTED_LABELS] = NEVER_A_STANDARD,
    [RTG_POSIX_DISTRIBUTED_PROTOCOLS] = NEVER_A_STANDARD,
    [RTG_POSIX_EVENT_LOGGING] = NEVER_A_STANDARD,
    [RTG_POSIX_CORE_DUMP_CONTROL] = NEVER_A_STANDARD,
    [RTG_POSIX_SHUTDOWN_AND_REBOOT] = NEVER_A_STANDARD,
    [RTG_POSIX_RECONFIGURATION] = NEVER_A_STANDARD,
};
