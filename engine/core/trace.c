#include "rtgauge/trace.h"

#include <string.h>

enum { SEQUENCE_BYTES = 4, CRC_BYTES = 4 };

/* Major types of CBOR (RFC 8949, 3.1), in the upper three bits. */
enum { UNSIGNED = 0, NEGATIVE = 1, BYTES = 2, TEXT = 3, ARRAY = 4, MAP = 5, TAG = 6, SIMPLE = 7 };

void rtg_out_init(struct rtg_out *out, int (*write)(const void *from, size_t size))
{
    memset(out, 0, sizeof *out);
    out->write = write;
}

size_t rtg_out_room(const struct rtg_out *out)
{
    size_t end = out->used + CRC_BYTES;
    return end < sizeof out->frame ? sizeof out->frame - end : 0;
}

static void put_raw(struct rtg_out *out, const void *bytes, size_t size)
{
    if (size > rtg_out_room(out)) {
        out->overflow = true;
        return;
    }
    memcpy(out->frame + out->used, bytes, size);
    out->used += size;
}

static void put_head(struct rtg_out *out, unsigned major, uint64_t value)
{
    uint8_t head[9];
    unsigned size = value < 24             ? 0
                    : value <= 0xff        ? 1
                    : value <= 0xffff      ? 2
                    : value <= 0xffffffffu ? 4
                                           : 8;
    unsigned info = size == 0   ? (unsigned)value
                    : size == 1 ? 24
                    : size == 2 ? 25
                    : size == 4 ? 26
                                : 27;
    head[0] = (uint8_t)(major << 5 | info);
    for (unsigned i = 0; i < size; i++)
        head[1 + i] = (uint8_t)(value >> 8 * (size - 1 - i));
    put_raw(out, head, 1 + size);
}

static void put_little_endian(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

void rtg_record_begin(struct rtg_out *out, uint32_t pairs)
{
    if (out->hold != NULL)
        out->hold();
    out->used = SEQUENCE_BYTES;
    out->overflow = false;
    rtg_put_map(out, pairs);
}

static void send(struct rtg_out *out)
{
    if (out->broken)
        return;
    if (out->overflow) {
        out->too_long++;
        return;
    }
    put_little_endian(out->frame, out->unnumbered ? RTG_UNNUMBERED : out->sequence++);
    put_little_endian(out->frame + out->used, rtg_crc32c(0, out->frame, out->used));
    size_t size = rtg_cobs_encode(out->frame, out->used + CRC_BYTES, out->wire);
    out->wire[size++] = 0;
    out->broken = out->write(out->wire, size) != 0;
}

void rtg_record_end(struct rtg_out *out)
{
    send(out);
    if (out->let_go != NULL)
        out->let_go();
}

void rtg_put_map(struct rtg_out *out, uint32_t pairs)
{
    put_head(out, MAP, pairs);
}

void rtg_put_array(struct rtg_out *out, uint32_t items)
{
    put_head(out, ARRAY, items);
}

void rtg_put_uint(struct rtg_out *out, uint64_t value)
{
    put_head(out, UNSIGNED, value);
}

void rtg_put_int(struct rtg_out *out, int64_t value)
{
    if (value >= 0)
        put_head(out, UNSIGNED, (uint64_t)value);
    else
        put_head(out, NEGATIVE, (uint64_t)(-(value + 1)));
}

void rtg_put_bool(struct rtg_out *out, bool value)
{
    put_head(out, SIMPLE, value ? 21 : 20);
}

void rtg_put_text(struct rtg_out *out, const char *text)
{
    if (text == NULL) {
        put_head(out, SIMPLE, 22);
        return;
    }
    size_t size = strlen(text);
    put_head(out, TEXT, size);
    put_raw(out, text, size);
}

void rtg_put_bytes(struct rtg_out *out, const void *bytes, size_t size)
{
    put_head(out, BYTES, size);
    put_raw(out, bytes, size);
}

/* RFC 8746, 2.1: tag = 0b010_f_s_e_ll; here unsigned integers: f = s = 0. */
void rtg_put_typed(struct rtg_out *out, const void *values, size_t items, unsigned width)
{
    const uint16_t probe = 1;
    uint8_t low;
    memcpy(&low, &probe, 1);
    unsigned little = low == 1 && width > 1;
    unsigned log2 = width == 8 ? 3 : width == 4 ? 2 : width == 2 ? 1 : 0;
    put_head(out, TAG, 64u | little << 2 | log2);
    rtg_put_bytes(out, values, items * width);
}

/* Nibble-wise table of the reflected polynomial 0x82F63B78: 64 bytes instead of
 * 1 KB, which small targets have to pay for. */
uint32_t rtg_crc32c(uint32_t crc, const void *bytes, size_t size)
{
    static const uint32_t table[16] = {
        0x00000000u, 0x105ec76fu, 0x20bd8edeu, 0x30e349b1u, 0x417b1dbcu, 0x5125dad3u,
        0x61c69362u, 0x7198540du, 0x82f63b78u, 0x92a8fc17u, 0xa24bb5a6u, 0xb21572c9u,
        0xc38d26c4u, 0xd3d3e1abu, 0xe330a81au, 0xf36e6f75u,
    };
    const uint8_t *at = bytes;
    crc = ~crc;
    for (; size != 0; size--, at++) {
        crc ^= *at;
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

size_t rtg_cobs_encode(const uint8_t *from, size_t size, uint8_t *to)
{
    size_t code_at = 0, used = 1;
    uint8_t code = 1;
    for (size_t i = 0; i < size; i++) {
        if (from[i] != 0) {
            to[used++] = from[i];
            code++;
        }
        if (from[i] == 0 || code == 0xff) {
            to[code_at] = code;
            code = 1;
            code_at = used;
            if (from[i] == 0 || i + 1 < size)
                used++;
        }
    }
    /* A full last group needs no empty group behind it. */
    if (code_at < used)
        to[code_at] = code;
    return used;
}

size_t rtg_cobs_decode(const uint8_t *from, size_t size, uint8_t *to)
{
    size_t used = 0;
    for (size_t i = 0; i < size;) {
        uint8_t code = from[i++];
        if (code == 0 || (size_t)(code - 1) > size - i)
            return (size_t)-1;
        for (uint8_t k = 1; k < code; k++) {
            if (from[i] == 0)
                return (size_t)-1;
            to[used++] = from[i++];
        }
        if (code != 0xff && i < size)
            to[used++] = 0;
    }
    return used;
}
