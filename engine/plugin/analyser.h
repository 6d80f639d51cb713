/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log of the analyser, in a file that it shares with the host: src/rtgauge/lab/plugin.py reads
 * it. */
#ifndef RTGAUGE_ANALYSER_H
#define RTGAUGE_ANALYSER_H

#include <stdint.h>

#define ANALYSER_MAGIC UINT64_C(0x3153594c414e4152) /* "RANALYS1" */

struct analyser_header {
    uint64_t magic;
    uint64_t room;    /* records that the file holds */
    uint64_t written; /* of them */
    uint64_t lost;    /* for which there was no room */
};

/* An instruction that read the clock. */
struct analyser_record {
    uint64_t instructions; /* that the guest had executed, this one among them */
    uint64_t address;      /* of this one */
};

#endif
