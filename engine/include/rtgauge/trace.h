/*
 * trace.h - the encoder of the trace (docs/trace.md): CBOR records in COBS
 * frames with a sequence number and a CRC-32C. No allocation. One thread
 * writes, never while samples are taken; others may where `hold` keeps them apart.
 *
 * A record is begun, filled item by item, and ended:
 *
 *   rtg_record_begin(out, 2);               a map of two pairs
 *   rtg_put_text(out, "r"); rtg_put_text(out, "evidence");
 *   rtg_put_text(out, "value"); rtg_put_int(out, -5);
 *   rtg_record_end(out);
 *
 * A record that the host need not keep goes out with RTG_UNNUMBERED instead of a
 * number of the sequence.
 *
 * A record that does not fit into RTG_FRAME_MAX is not sent; it is counted in
 * `too_long`, which the run's last record carries.
 */
#ifndef RTGAUGE_TRACE_H
#define RTGAUGE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rtg_port_types.h"

#ifndef RTG_FRAME_MAX
#define RTG_FRAME_MAX 1024
#endif

#define RTG_UNNUMBERED 0xffffffffu

struct rtg_out {
    uint8_t frame[RTG_FRAME_MAX];                          /* sequence, payload, CRC */
    uint8_t wire[RTG_FRAME_MAX + RTG_FRAME_MAX / 254 + 2]; /* the same, stuffed */
    size_t used;
    bool overflow;
    uint32_t sequence;
    uint32_t too_long;                           /* records that did not fit into a frame */
    bool broken;                                 /* a write failed: nothing more is written */
    int (*write)(const void *from, size_t size); /* 0 on success */
    void (*hold)(void);                          /* around each record, where several threads */
    void (*let_go)(void);                        /* write; NULL: only one does */
    bool unnumbered; /* the record under way is of no lasting interest */
};

void rtg_out_init(struct rtg_out *out, int (*write)(const void *from, size_t size));

void rtg_record_begin(struct rtg_out *out, uint32_t pairs);
void rtg_record_end(struct rtg_out *out);

void rtg_put_map(struct rtg_out *out, uint32_t pairs);
void rtg_put_array(struct rtg_out *out, uint32_t items);
void rtg_put_int(struct rtg_out *out, int64_t value);
void rtg_put_uint(struct rtg_out *out, uint64_t value);
void rtg_put_bool(struct rtg_out *out, bool value);
void rtg_put_text(struct rtg_out *out, const char *text); /* UTF-8; NULL: null */
void rtg_put_bytes(struct rtg_out *out, const void *bytes, size_t size);

/* A typed array (RFC 8746) of `items` unsigned integers of `width` bytes (1, 2,
 * 4 or 8) in the machine's own byte order, which its tag states. */
void rtg_put_typed(struct rtg_out *out, const void *values, size_t items, unsigned width);

/* Bytes still free in the frame under way. */
size_t rtg_out_room(const struct rtg_out *out);

/* CRC-32C (Castagnoli) of `size` bytes, continuing from `crc` (0 to begin). */
uint32_t rtg_crc32c(uint32_t crc, const void *bytes, size_t size);

/* COBS. `to` must hold size + size / 254 + 1 bytes. Returns the encoded length,
 * without the zero delimiter. */
size_t rtg_cobs_encode(const uint8_t *from, size_t size, uint8_t *to);
/* In place is allowed. Returns the decoded length, or (size_t)-1 on bad input. */
size_t rtg_cobs_decode(const uint8_t *from, size_t size, uint8_t *to);

#endif
