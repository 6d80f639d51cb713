/* Linux: what the program and the kernel take in memory. */
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "linux_read.h"
#include "posix.h"

/* The segments of this program, as the kernel has loaded them. */
static void add_program(struct rtg_footprint *to)
{
    const ElfW(Phdr) *segment = (const void *)getauxval(AT_PHDR);
    const ElfW(Phdr) *end = segment + (segment != NULL ? getauxval(AT_PHNUM) : 0);
    to->program_how = "the loaded segments of this program, which holds its C library";
    for (; segment < end; segment++) {
        if (segment->p_type == PT_INTERP)
            to->program_how = "the loaded segments of this program, without its C library";
        if (segment->p_type != PT_LOAD)
            continue;
        if (segment->p_flags & PF_W) {
            to->data += segment->p_filesz;
            to->zero += segment->p_memsz - segment->p_filesz;
        } else {
            to->code += segment->p_memsz;
        }
    }
}

/* "<from>-<to> : Kernel <what>", the addresses hexadecimal, and 0 for who may not know. */
static uint64_t kernel_image(char *text)
{
    uint64_t sum = 0;
    for (char *line = text; line != NULL && *line != 0;) {
        char *end = strchr(line, '\n'), *rest;
        const char *name = strstr(line, " : Kernel ");
        uint64_t from = strtoull(line, &rest, 16);
        uint64_t last = *rest == '-' ? strtoull(rest + 1, NULL, 16) : 0;
        if (name != NULL && (end == NULL || name < end) && last > from)
            sum += last - from + 1;
        line = end == NULL ? NULL : end + 1;
    }
    return sum;
}

/* "<key>: <number> kB" */
static uint64_t kilobytes(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at == NULL ? 0 : strtoull(at + strlen(key), NULL, 10) * 1024;
}

int rtg_footprint(struct rtg_footprint *footprint)
{
    static const char *const held[] = {"\nSlab:", "\nKernelStack:", "\nPageTables:", "\nPercpu:"};
    char text[16384];
    *footprint = (struct rtg_footprint){.kernel_how = "only root is told where the kernel lies"};
    add_program(footprint);
    if (linux_read("/proc/iomem", text, sizeof text))
        footprint->kernel = kernel_image(text);
    if (footprint->kernel != 0)
        footprint->kernel_how = "code, constants and static data of /proc/iomem, without modules";
    if (linux_read("/proc/meminfo", text, sizeof text))
        for (size_t i = 0; i < sizeof held / sizeof *held; i++)
            footprint->kernel_now += kilobytes(text, held[i]);
    return RTG_OK;
}
