/* The first process of a guest of the virtual lab, and besides the engine the only one: it mounts
 * what the engine reads, starts it with the request that came in the initial file system, and
 * hands its trace to the host through memory that both see, which costs the guest a copy and no
 * interrupt. The host never writes there: nothing that it does reaches the guest. */
#define _GNU_SOURCE
#include "load.h"
#include "shared.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <net/if.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORK                                                                                       \
    "/tmp/rtgauge-work.labguest" /* a name by which the engine knows that it may work there */
#define DEVICES "/sys/bus/pci/devices/"
#define VENDOR_DEVICE "0x1af4\n0x1110\n" /* QEMU's memory that is shared with others */

#define INIT "rtgauge-init: " /* begins what the host is told of a guest that gives up ... */
#define NOTE "note: "         /* ... and with this of one that goes on */
#define SPARE '-'

enum { WINDOW = 1 << 20, CHUNK = 1 << 16 };

static struct guest_header *header;
static int memory = -1;    /* the shared memory as a file that can only be mapped */
static uint64_t room;      /* bytes of it */
static uint8_t *window;    /* WINDOW bytes of it are mapped at a time */
static uint64_t window_at; /* which */

static void say(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

static uint64_t now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A line for the host: it keeps those that begin with INIT. */
static void tell(const char *begin, const char *what, const char *which, const char *why)
{
    say(begin);
    say(what);
    say(which);
    say(": ");
    say(why);
    say("\n");
}

/* The guest ends here, whatever happened; what is in the shared memory stays. */
static void end(void)
{
    sync();
    reboot(RB_POWER_OFF);
    for (;;)
        pause();
}

static void give_up(const char *what, const char *which, const char *why)
{
    tell(INIT, what, which, why);
    end();
}

/* ---- file systems and network ------------------------------------------- */

static void mount_all(void)
{
    static const struct {
        const char *kind, *at;
        bool needed;
    } systems[] = {
        {"devtmpfs", "/dev", true},
        {"proc", "/proc", true},
        {"sysfs", "/sys", true},
        {"tmpfs", "/tmp", true},
        {"tmpfs", "/dev/shm", false},
        {"mqueue", "/dev/mqueue", false},
        {"tracefs", "/sys/kernel/tracing", false},
    };
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        mkdir(systems[i].at, 0755);
        if (mount("none", systems[i].at, systems[i].kind, 0, NULL) != 0 && systems[i].needed)
            give_up("", systems[i].at, "cannot be mounted: the kernel lacks that file system");
    }
}

static void loopback_up(void)
{
    struct ifreq request;
    int handle = socket(AF_INET, SOCK_DGRAM, 0);
    memset(&request, 0, sizeof request);
    strcpy(request.ifr_name, "lo");
    if (handle < 0)
        return;
    if (ioctl(handle, SIOCGIFFLAGS, &request) == 0) {
        request.ifr_flags |= IFF_UP;
        ioctl(handle, SIOCSIFFLAGS, &request);
    }
    close(handle);
}

/* A guest has no source of chance, on purpose; without a seed the kernel would wait for one, and
 * hide in its traces what it cannot hash. */
static void seed(void)
{
    uint32_t pool[2 + 8] = {256, 32}; /* struct rand_pool_info: bits, bytes, and these */
    for (uint32_t i = 0; i < 8; i++)
        pool[2 + i] = i * 2654435761u;
    int handle = open("/dev/random", O_WRONLY | O_CLOEXEC);
    ioctl(handle, RNDADDENTROPY, pool);
    close(handle);
}

/* ---- kernel modules ------------------------------------------------------ */

/* A guest without a module that the user asked for would measure something else; SPARE begins the
 * line of one that it can do without. */
static void load(const char *path)
{
    bool needed = *path != SPARE;
    path += !needed;
    int handle = open(path, O_RDONLY | O_CLOEXEC);
    bool loaded = syscall(SYS_finit_module, handle, "", 0) == 0;
    const char *why = loaded ? "" : strerror(errno);
    close(handle);
    if (loaded)
        return;
    tell(needed ? INIT : INIT NOTE, "the kernel does not take the module ", path + 1, why);
    if (needed)
        end();
}

/* Those whose paths stand in a file that the host sent, one a line, in that order. */
static void load_modules(void)
{
    static char list[16384];
    int handle = open("/modules", O_RDONLY | O_CLOEXEC);
    if (handle < 0)
        return;
    ssize_t got = read(handle, list, sizeof list - 1);
    close(handle);
    list[got < 0 ? 0 : got] = 0;
    for (char *rest = list, *path; (path = strsep(&rest, "\n")) != NULL;) {
        if (*path != 0)
            load(path);
    }
}

/* Modules that are at work, as the kernel tells it. */
static uint64_t live_modules(void)
{
    static char list[32768];
    size_t used = 0;
    uint64_t live = 0;
    int handle = open("/proc/modules", O_RDONLY | O_CLOEXEC);
    for (ssize_t got; handle >= 0 && used < sizeof list - 1 &&
                      (got = read(handle, list + used, sizeof list - 1 - used)) > 0;)
        used += (size_t)got;
    if (handle >= 0)
        close(handle);
    list[used] = 0;
    for (const char *at = list; (at = strstr(at, " Live ")) != NULL; at++)
        live++;
    return live;
}

/* ---- the shared memory --------------------------------------------------- */

static int open_in(const char *device, const char *file, int flags)
{
    char path[256] = DEVICES;
    strncat(path, device, 64);
    strcat(path, file);
    return open(path, flags | O_CLOEXEC);
}

static size_t read_in(const char *device, const char *file, char *to, size_t size)
{
    int handle = open_in(device, file, O_RDONLY);
    ssize_t got = handle < 0 ? 0 : read(handle, to, size);
    if (handle >= 0)
        close(handle);
    return got < 0 ? 0 : (size_t)got;
}

static bool is_shared_memory(const char *device)
{
    char text[32] = "";
    size_t used = read_in(device, "/vendor", text, 16);
    used += read_in(device, "/device", text + used, 15);
    text[used] = 0;
    return strcmp(text, VENDOR_DEVICE) == 0;
}

static void *map(uint64_t at, size_t size)
{
    void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, (off_t)at);
    return found == MAP_FAILED ? NULL : found;
}

static void find_shared_memory(void)
{
    struct stat about;
    DIR *devices = opendir(DEVICES);
    for (struct dirent *entry;
         devices != NULL && memory < 0 && (entry = readdir(devices)) != NULL;) {
        if (entry->d_name[0] == '.' || !is_shared_memory(entry->d_name))
            continue;
        int enable = open_in(entry->d_name, "/enable", O_WRONLY);
        (void)!write(enable, "1", 1);
        close(enable);
        memory = open_in(entry->d_name, "/resource2", O_RDWR);
    }
    if (devices != NULL)
        closedir(devices);
    if (memory < 0 || fstat(memory, &about) != 0 || (header = map(0, GUEST_TRACE_AT)) == NULL)
        give_up("the memory shared with the host was not found", "",
                "the kernel lacks PCI or its files in sysfs");
    room = (uint64_t)about.st_size;
    header->room = room;
    header->modules = live_modules();
    header->begun_ns = now(CLOCK_BOOTTIME);
    atomic_thread_fence(memory_order_release);
    header->magic = GUEST_MAGIC;
}

/* Bytes that there is no room for are counted: the host sees that they are missing. */
static void hand_over(const uint8_t *from, size_t size)
{
    uint64_t tail = header->tail;
    while (size != 0) {
        uint64_t place = GUEST_TRACE_AT + tail, at = place & ~(uint64_t)(WINDOW - 1);
        size_t within = (size_t)(place - at), part = WINDOW - within;
        part = part < size ? part : size;
        if (window == NULL || at != window_at) {
            if (window != NULL)
                munmap(window, WINDOW);
            window = at + WINDOW <= room ? map(at, WINDOW) : NULL;
            window_at = at;
        }
        if (window == NULL) {
            header->dropped += size;
            return;
        }
        memcpy(window + within, from, part);
        from += part;
        size -= part;
        tail += part;
        atomic_thread_fence(memory_order_release);
        header->tail = tail;
    }
}

/* ---- idle time ----------------------------------------------------------- */

/* ns for which the CPU has had nothing to do since the kernel began: the second number of a file
 * that has two, in seconds with two digits behind the point. 0 where it is not there. */
static uint64_t idle_ns(void)
{
    char text[64] = "";
    int file = open("/proc/uptime", O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    const char *second = got > 0 ? strchr(text, ' ') : NULL;
    uint64_t hundredths = 0;
    for (; second != NULL && *second != 0 && *second != '\n'; second++) {
        if (*second >= '0' && *second <= '9')
            hundredths = hundredths * 10 + (uint64_t)(*second - '0');
    }
    return hundredths * 10000000u;
}

/* ---- programs ------------------------------------------------------------ */

/* Starts `program` with its output in `to` (-1: as ours) and nothing else of ours. */
static pid_t start(char *const *words, const char *input, int to)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    int from = open(input, O_RDONLY);
    if (from < 0 || dup2(from, STDIN_FILENO) < 0 || (to >= 0 && dup2(to, STDOUT_FILENO) < 0) ||
        chdir(WORK) != 0)
        _exit(126);
    setsid();
    execv(words[0], words);
    _exit(127);
}

/* Hands over the trace until the engine has closed it. */
static void relay(int from)
{
    static uint8_t buffer[CHUNK];
    ssize_t got;
    while ((got = read(from, buffer, sizeof buffer)) > 0)
        hand_over(buffer, (size_t)got);
}

static void run_engine(void)
{
    static char *const words[] = {"/engine", NULL};
    int ends[2], status = 0;
    uint64_t idle = idle_ns();
    pid_t load = guest_load_begin(header); /* before there is anything that it could keep open */
    if (pipe2(ends, O_CLOEXEC) != 0)
        give_up("no pipe", "", strerror(errno));
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    header->state = GUEST_MEASURES;
    pid_t engine = start(words, "/request", ends[1]);
    close(ends[1]);
    if (engine < 0)
        give_up("no process for the engine", "", strerror(errno));
    relay(ends[0]);
    while (waitpid(engine, &status, 0) < 0)
        ;
    guest_load_end(load);
    header->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    header->ended_ns = now(CLOCK_BOOTTIME);
    header->idle_ns = idle_ns() - idle;
    atomic_thread_fence(memory_order_release);
    header->state = GUEST_ENDED;
}

int main(void)
{
    mount_all();
    loopback_up();
    seed();
    load_modules();
    mkdir(WORK, 0700);
    find_shared_memory();
    run_engine();
    end();
}
