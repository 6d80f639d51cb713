/* Linux: what a file system lies on, and what of a file is in memory. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "linux_read.h"
#include "posix.h"

/* Of the mount that holds the folder, one line of /proc/self/mountinfo:
 * id parent major:minor root point options optional... - system device options */
struct mount {
    char *system, *device, *options;
};

static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " ");
    *at = word + strcspn(word, " ");
    if (**at != 0)
        *(*at)++ = 0;
    return word;
}

static bool read_line(char *line, struct mount *mount)
{
    char *rest = strstr(line, " - ");
    if (rest == NULL)
        return false;
    *rest = 0;
    rest += 3;
    for (int i = 0; i < 6; i++)
        mount->options = next_word(&line);
    mount->system = next_word(&rest);
    mount->device = next_word(&rest);
    return true;
}

/* The number of the mount that a descriptor lies on; -1 where the kernel does not tell. */
static long mount_of(int folder)
{
    char path[64] = "/proc/self/fdinfo/", text[512], digits[12];
    int used = 0;
    char *at = path + strlen(path);
    do
        digits[used++] = (char)('0' + folder % 10);
    while ((folder /= 10) != 0);
    while (used != 0)
        *at++ = digits[--used];
    *at = 0;
    const char *line = linux_read(path, text, sizeof text) ? strstr(text, "mnt_id:") : NULL;
    return line == NULL ? -1 : strtol(line + 7, NULL, 10);
}

static bool find_mount(int folder, struct mount *mount)
{
    static char text[65536];
    long wanted = mount_of(folder);
    if (wanted < 0 || !linux_read("/proc/self/mountinfo", text, sizeof text))
        return false;
    for (char *line = text, *end; *line != 0; line = end) {
        end = line + strcspn(line, "\n");
        if (*end != 0)
            *end++ = 0;
        if (strtol(line, NULL, 10) == wanted)
            return read_line(line, mount);
    }
    return false;
}

/* "/sys/dev/block/<major>:<minor>" and what follows, into 96 bytes. */
static void path_of_device(char *to, dev_t device, const char *behind)
{
    unsigned numbers[2] = {major(device), minor(device)};
    to = stpcpy(to, "/sys/dev/block/");
    for (int i = 0; i < 2; i++) {
        char digits[12];
        int used = 0;
        do
            digits[used++] = (char)('0' + numbers[i] % 10);
        while ((numbers[i] /= 10) != 0);
        while (used != 0)
            *to++ = digits[--used];
        *to++ = ':';
    }
    strcpy(to - 1, behind);
}

/* The block device behind a file system: its own number, or that of the device it names. */
static dev_t device_of(int folder, const char *source)
{
    struct stat of;
    if (fstat(folder, &of) == 0 && major(of.st_dev) != 0)
        return of.st_dev;
    return stat(source, &of) == 0 && S_ISBLK(of.st_mode) ? of.st_rdev : 0;
}

/* A partition has no queue of its own: that of the disk around it tells. */
static const char *medium_of(dev_t device)
{
    static const char *const files[] = {"/queue/rotational", "/../queue/rotational"};
    char path[96], text[8];
    for (int i = 0; i < 2; i++) {
        path_of_device(path, device, files[i]);
        if (linux_read(path, text, sizeof text))
            return text[0] == '0' ? "a disk that says it does not rotate"
                                  : "a disk that says it rotates (virtual ones do so too)";
    }
    return "not known";
}

/* The fifth number of the device's statistics: writes completed. */
static bool count_writes(dev_t device, uint64_t *written)
{
    char path[96], text[512], *at = text;
    path_of_device(path, device, "/stat");
    if (device == 0 || !linux_read(path, text, sizeof text))
        return false;
    for (int i = 0; i < 5; i++)
        *written = strtoull(at, &at, 10);
    return true;
}

/* File systems without a medium of their own. */
static const struct {
    const char *system, *medium, *unproven;
} strange[] = {
    {"tmpfs", "memory", "this file system keeps its files in memory"},
    {"ramfs", "memory", "this file system keeps its files in memory"},
    {"overlay", "not known", "an overlay hides what lies below it"},
    {"nfs", "another machine's", "the files lie on another machine"},
    {"nfs4", "another machine's", "the files lie on another machine"},
    {"cifs", "another machine's", "the files lie on another machine"},
    {"9p", "another machine's", "the files lie on another machine"},
    {"virtiofs", "another machine's", "the files lie on another machine"},
};

int os_files_where(int folder, struct rtg_files *files)
{
    struct mount mount = {"not known", "not known", "not known"};
    bool found = find_mount(folder, &mount);
    dev_t device = device_of(folder, mount.device);
    *files = (struct rtg_files){.system = mount.system,
                                .device = mount.device,
                                .options = mount.options,
                                .medium = medium_of(device)};
    if (!found)
        files->unproven = "the system does not tell what the folder lies on";
    else if (device == 0)
        files->unproven = "no device is known that the files lie on";
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        if (strcmp(mount.system, strange[i].system) == 0) {
            files->medium = strange[i].medium;
            files->unproven = strange[i].unproven;
        }
    }
    files->counts = files->unproven == NULL && count_writes(device, &files->written);
    return RTG_OK;
}

/* Through a mapping that nobody may read: a locked process would else load its pages. */
int os_file_cached(int file, uint64_t at, uint32_t bytes, bool *cached, const char **how)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint64_t from = at / page * page;
    size_t pages = (size_t)((at + bytes - from + page - 1) / page);
    unsigned char there[64];
    *how = "mincore, through a mapping without access";
    if (bytes == 0 || pages > sizeof there)
        return RTG_EINVAL;
    void *map = mmap(NULL, pages * page, PROT_NONE, MAP_SHARED, file, (off_t)from);
    if (map == MAP_FAILED)
        return RTG_EFAIL;
    bool told = mincore(map, pages * page, there) == 0;
    munmap(map, pages * page);
    *cached = told;
    for (size_t i = 0; i < pages && told; i++)
        *cached = *cached && (there[i] & 1) != 0;
    return told ? RTG_OK : RTG_ENOSUP;
}
