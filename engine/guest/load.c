#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WORDS_MOST = 32,
    TEXT_MOST = 1024,
    LEAST_ROUND_NS = 20000000 /* a program that ends at once is not started more often than this */
};

static char text[TEXT_MOST]; /* its words, each ended by a 0 */
static char *words[WORDS_MOST + 1];

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool read_words(void)
{
    int file = open("/load", O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    for (ssize_t at = 0, n = 0; at < size && n < WORDS_MOST; n++) {
        words[n] = text + at;
        at += (ssize_t)strlen(text + at) + 1;
    }
    return words[0] != NULL;
}

/* The end of what it writes, until nobody can write any more. */
static uint32_t follow(int from, char *to)
{
    char chunk[GUEST_OUTPUT];
    size_t used = 0;
    ssize_t got;
    while ((got = read(from, chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR)) {
        size_t more = got < 0 ? 0 : (size_t)got, keep = GUEST_OUTPUT - more;
        if (used > keep) {
            memmove(to, to + used - keep, keep);
            used = keep;
        }
        memcpy(to + used, chunk, more);
        used += more;
    }
    return (uint32_t)used;
}

static void become(int output)
{
    int none = open("/dev/null", O_RDONLY);
    if (none < 0 || dup2(none, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0 || chdir("/tmp") != 0)
        _exit(126);
    execv(words[0], words);
    _exit(127);
}

/* One round; its status as a shell says it. */
static int one_round(struct guest_header *header)
{
    static char output[GUEST_OUTPUT];
    int ends[2], status = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 126;
    pid_t child = fork();
    if (child == 0)
        become(ends[1]);
    close(ends[1]);
    uint32_t size = follow(ends[0], output);
    close(ends[0]);
    if (child < 0)
        return 126;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    memcpy(header->load_output, output, size);
    header->load_bytes = size;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static _Noreturn void rounds(struct guest_header *header)
{
    setsid();
    for (;;) {
        uint64_t begin = now();
        header->load_status = one_round(header);
        while (header->load_status != 0) /* it would not do better */
            pause();
        header->load_rounds++;
        uint64_t took = now() - begin;
        struct timespec rest = {.tv_nsec =
                                    took < LEAST_ROUND_NS ? (long)(LEAST_ROUND_NS - took) : 0};
        if (rest.tv_nsec != 0)
            nanosleep(&rest, NULL);
    }
}

pid_t guest_load_begin(struct guest_header *header)
{
    if (!read_words())
        return 0;
    header->load_begun_ns = now();
    pid_t load = fork();
    if (load == 0)
        rounds(header);
    return load < 0 ? 0 : load;
}

void guest_load_end(pid_t load)
{
    if (load == 0)
        return;
    kill(-load, SIGKILL); /* it has a session of its own ... */
    kill(load, SIGKILL);  /* ... if it came that far */
    while (waitpid(load, NULL, 0) < 0 && errno == EINTR)
        ;
}
