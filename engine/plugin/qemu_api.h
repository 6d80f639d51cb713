/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The few calls of QEMU's plugins, version 1 of their interface, that the analyser makes: they are
 * declared here because distributions leave the header out. The plugin checks the version. */
#ifndef RTGAUGE_QEMU_API_H
#define RTGAUGE_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ANALYSER_API = 1 };

typedef uint64_t qemu_plugin_id_t;

/* What QEMU says of itself when it loads a plugin. */
typedef struct {
    const char *target_name;
    struct {
        int min, cur; /* versions of the interface that it knows */
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus, max_vcpus;
    } system;
} qemu_info_t;

struct qemu_plugin_tb;   /* a block of instructions that is being translated */
struct qemu_plugin_insn; /* one of them; valid during that */

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned int cpu, void *user);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           qemu_plugin_vcpu_tb_trans_cb_t call);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
                                            qemu_plugin_vcpu_udata_cb_t call,
                                            enum qemu_plugin_cb_flags flags, void *user);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
                                                enum qemu_plugin_op op, void *to, uint64_t add);
void qemu_plugin_outs(const char *text);

/* What QEMU looks for in a plugin. */
extern int qemu_plugin_version;
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

#endif
