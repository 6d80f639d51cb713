/* Work that loads let the system do. Names are relative: the engine's own folder. */
#include "posix.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <unistd.h>

enum {
    CALL_ROUNDS = 16,
    BLOCKS = sizeof((struct rtg_service *)0)->block / sizeof(void *),
    LARGEST_LOG2 = 16, /* of a block in memory; the smallest is 16 bytes */
    FILE_BLOCK = 4096,
    FILE_BLOCKS = 256,
    FOLDERS = 16,
    FILES = 64, /* in each */
    PACKET = 1024,
    NONE = -1,
};

/* ---- system calls -------------------------------------------------------- */

static int calls(uint64_t *things)
{
    struct rusage usage;
    struct utsname name;
    struct tms ticks;
    for (int i = 0; i < CALL_ROUNDS; i++) {
        (void)getppid();
        getrusage(RUSAGE_SELF, &usage);
        uname(&name);
        times(&ticks);
        (void)fcntl(STDIN_FILENO, F_GETFD);
        (void)access(".", F_OK);
    }
    *things = 6 * CALL_ROUNDS;
    return RTG_OK;
}

/* ---- memory -------------------------------------------------------------- */

static uint32_t pseudo_random(struct rtg_service *s)
{
    s->turn = s->turn * 1664525u + 1013904223u;
    return s->turn >> 8;
}

static int blocks(struct rtg_service *s, uint64_t *things)
{
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t at = pseudo_random(s) % BLOCKS;
        size_t size = (size_t)1 << (4 + pseudo_random(s) % (LARGEST_LOG2 - 3));
        free(s->block[at]);
        s->block[at] = malloc(size);
        if (s->block[at] == NULL)
            return RTG_EFULL;
        memset(s->block[at], 1, size);
    }
    *things = BLOCKS;
    return RTG_OK;
}

/* ---- files --------------------------------------------------------------- */

/* prefix, the process's id, and so a name that no other engine uses. */
static void own_name(char *to, size_t size, const char *prefix)
{
    size_t at = size - 1, used = strlen(prefix);
    unsigned long id = (unsigned long)getpid();
    to[at] = 0;
    do
        to[--at] = (char)('0' + id % 10);
    while ((id /= 10) != 0);
    memmove(to + used, to + at, size - at);
    memcpy(to, prefix, used);
}

/* The name is taken away at once: the file goes with whoever holds it open. */
static int make_file(struct rtg_service *s)
{
    char name[48];
    own_name(name, sizeof name, "rtgauge-load-");
    s->file[0] = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (s->file[0] < 0 || unlink(name) != 0)
        return posix_error(errno);
    return RTG_OK;
}

static int write_block(struct rtg_service *s, uint64_t *things)
{
    static const char block[FILE_BLOCK] = {'r', 't', 'g'};
    off_t at = (off_t)(s->turn++ % FILE_BLOCKS) * FILE_BLOCK;
    if (pwrite(s->file[0], block, sizeof block, at) != (ssize_t)sizeof block)
        return posix_error(errno);
    *things = 1;
    return fsync(s->file[0]) == 0 ? RTG_OK : posix_error(errno);
}

/* ---- a tree of folders --------------------------------------------------- */

static void two_letters(char *to, int number)
{
    to[0] = (char)('a' + number / 26);
    to[1] = (char)('a' + number % 26);
    to[2] = 0;
}

static int open_folder(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int make_leaves(int folder)
{
    char name[3];
    int error = RTG_OK;
    for (int i = 0; i < FILES && error == RTG_OK; i++) {
        two_letters(name, i);
        int file = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
        error = file < 0 ? posix_error(errno) : RTG_OK;
        if (file >= 0)
            close(file);
    }
    return error;
}

static int make_tree(struct rtg_service *s)
{
    char name[48];
    int error = RTG_OK;
    own_name(name, sizeof name, "rtgauge-tree-");
    s->file[1] = open_folder(AT_FDCWD, ".");
    if (mkdir(name, S_IRWXU) != 0 && errno != EEXIST)
        return posix_error(errno);
    s->file[0] = open_folder(AT_FDCWD, name);
    if (s->file[0] < 0 || s->file[1] < 0)
        return posix_error(errno);
    for (int i = 0; i < FOLDERS && error == RTG_OK; i++) {
        two_letters(name, i);
        if (mkdirat(s->file[0], name, S_IRWXU) != 0 && errno != EEXIST)
            return posix_error(errno);
        int folder = open_folder(s->file[0], name);
        error = folder < 0 ? posix_error(errno) : make_leaves(folder);
        if (folder >= 0)
            close(folder);
    }
    return error;
}

static int search_folder(struct rtg_service *s, uint64_t *things)
{
    char name[3];
    two_letters(name, (int)(s->turn++ % FOLDERS));
    int number = open_folder(s->file[0], name);
    DIR *folder = number < 0 ? NULL : fdopendir(number);
    if (folder == NULL)
        return posix_error(errno);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL; ++*things) {
        struct stat about;
        if (fstatat(number, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            return closedir(folder), RTG_EFAIL;
    }
    closedir(folder);
    return RTG_OK;
}

static void remove_tree(struct rtg_service *s)
{
    char name[48], leaf[3];
    for (int i = 0; i < FOLDERS; i++) {
        two_letters(name, i);
        int folder = open_folder(s->file[0], name);
        for (int k = 0; k < FILES && folder >= 0; k++) {
            two_letters(leaf, k);
            unlinkat(folder, leaf, 0);
        }
        if (folder >= 0)
            close(folder);
        unlinkat(s->file[0], name, AT_REMOVEDIR);
    }
    own_name(name, sizeof name, "rtgauge-tree-");
    unlinkat(s->file[1], name, AT_REMOVEDIR);
}

/* ---- packets ------------------------------------------------------------- */

static int make_connection(struct rtg_service *s)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof here;
    int on = 1;
    s->file[2] = socket(AF_INET, SOCK_STREAM, 0);
    s->file[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (s->file[2] < 0 || s->file[0] < 0)
        return posix_error(errno);
    if (bind(s->file[2], (struct sockaddr *)&here, size) != 0 || listen(s->file[2], 1) != 0 ||
        getsockname(s->file[2], (struct sockaddr *)&here, &size) != 0 ||
        connect(s->file[0], (struct sockaddr *)&here, size) != 0)
        return posix_error(errno);
    s->file[1] = accept(s->file[2], NULL, NULL);
    if (s->file[1] < 0)
        return posix_error(errno);
    for (int i = 0; i < 2; i++) {
        if (setsockopt(s->file[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)
            return posix_error(errno);
    }
    return RTG_OK;
}

static int carry(int from, int to)
{
    char packet[PACKET] = {0};
    if (send(from, packet, sizeof packet, MSG_NOSIGNAL) != (ssize_t)sizeof packet)
        return RTG_EFAIL;
    return recv(to, packet, sizeof packet, MSG_WAITALL) == (ssize_t)sizeof packet ? RTG_OK
                                                                                  : RTG_EFAIL;
}

static int there_and_back(struct rtg_service *s, uint64_t *things)
{
    int error = carry(s->file[0], s->file[1]);
    if (error == RTG_OK)
        error = carry(s->file[1], s->file[0]);
    *things = 2;
    return error;
}

/* ---- all of them --------------------------------------------------------- */

int rtg_service_begin(struct rtg_service *s, enum rtg_service_kind kind)
{
    int error = RTG_OK;
    *s = (struct rtg_service){.kind = (int)kind, .file = {NONE, NONE, NONE}};
    switch (kind) {
    case RTG_SERVICE_CALLS:
    case RTG_SERVICE_MEMORY:
        return RTG_OK;
    case RTG_SERVICE_FILES:
        error = make_file(s);
        break;
    case RTG_SERVICE_SEARCH:
        error = make_tree(s);
        break;
    case RTG_SERVICE_PACKETS:
        error = make_connection(s);
        break;
    default:
        return RTG_EINVAL;
    }
    if (error != RTG_OK)
        rtg_service_end(s);
    return error;
}

int rtg_service_do(struct rtg_service *s, uint64_t *things)
{
    *things = 0;
    switch ((enum rtg_service_kind)s->kind) {
    case RTG_SERVICE_CALLS:
        return calls(things);
    case RTG_SERVICE_MEMORY:
        return blocks(s, things);
    case RTG_SERVICE_FILES:
        return write_block(s, things);
    case RTG_SERVICE_SEARCH:
        return search_folder(s, things);
    case RTG_SERVICE_PACKETS:
        return there_and_back(s, things);
    }
    return RTG_EINVAL;
}

int rtg_service_end(struct rtg_service *s)
{
    if (s->kind == RTG_SERVICE_SEARCH && s->file[0] >= 0)
        remove_tree(s);
    for (int i = 0; i < 3; i++) {
        if (s->file[i] >= 0)
            close(s->file[i]);
        s->file[i] = NONE;
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        free(s->block[i]);
        s->block[i] = NULL;
    }
    return RTG_OK;
}
