/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plugin of QEMU that watches a guest from outside: it counts every instruction, and notes at
 * which count the handlers of our kernel module read the clock, and the program that they
 * interrupted did before and after them. The guest executes not one instruction for it.
 *
 * Arguments: log=FILE, which exists and has its size; from=ADDRESS and to=ADDRESS, the range in
 * which kernel modules lie. */
#include "analyser.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qemu_api.h"

int qemu_plugin_version = ANALYSER_API;

static struct analyser_header *header;
static struct analyser_record *record; /* behind the header */
static uint64_t from, to;              /* addresses of kernel modules */
static uint64_t executed;              /* instructions; QEMU's own code adds to it */
static struct analyser_record before;  /* the last reading of a program */
static bool after;                     /* the next one comes after a handler */

static void note(struct analyser_record one)
{
    if (header->written == header->room) {
        header->lost++;
        return;
    }
    record[header->written] = one;
    __atomic_store_n(&header->written, header->written + 1, __ATOMIC_RELEASE);
}

static void program_read(unsigned int cpu, void *address)
{
    (void)cpu;
    before = (struct analyser_record){executed, (uintptr_t)address};
    if (after)
        note(before);
    after = false;
}

static void module_read(unsigned int cpu, void *address)
{
    (void)cpu;
    if (!after)
        note(before);
    after = true;
    note((struct analyser_record){executed, (uintptr_t)address});
}

/* x86: rdtsc, rdtscp. ARM: mrs of the virtual counter, plain and in order. */
static bool reads_clock(bool arm, const uint8_t *code, size_t size)
{
    if (arm)
        return size == 4 && code[3] == 0xd5 && code[2] == 0x3b && code[1] == 0xe0 &&
               ((code[0] & 0xe0) == 0x40 || (code[0] & 0xe0) == 0xc0);
    return (size == 2 && code[0] == 0x0f && code[1] == 0x31) ||
           (size == 3 && code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9);
}

static bool arm;

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0, n = qemu_plugin_tb_n_insns(tb); i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t at = qemu_plugin_insn_vaddr(insn);
        qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &executed, 1);
        if (!reads_clock(arm, qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn)))
            continue;
        if (at >> 63 == 0)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, program_read, QEMU_PLUGIN_CB_NO_REGS,
                                                   (void *)(uintptr_t)at);
        else if (at >= from && at < to)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, module_read, QEMU_PLUGIN_CB_NO_REGS,
                                                   (void *)(uintptr_t)at);
    }
}

static bool open_log(const char *path)
{
    struct stat about;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0 || (size_t)about.st_size < sizeof *header)
        return false;
    header = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (header == MAP_FAILED)
        return false;
    record = (struct analyser_record *)(header + 1);
    *header = (struct analyser_header){
        .magic = ANALYSER_MAGIC,
        .room = ((size_t)about.st_size - sizeof *header) / sizeof *record,
    };
    return true;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    const char *log = NULL;
    if (info->version.min > ANALYSER_API || info->version.cur < ANALYSER_API ||
        !info->system_emulation || info->system.max_vcpus != 1)
        return -1;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "log=", 4) == 0)
            log = argv[i] + 4;
        else if (strncmp(argv[i], "from=", 5) == 0)
            from = strtoull(argv[i] + 5, NULL, 0);
        else if (strncmp(argv[i], "to=", 3) == 0)
            to = strtoull(argv[i] + 3, NULL, 0);
    }
    arm = strcmp(info->target_name, "aarch64") == 0;
    if (log == NULL || !open_log(log))
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
