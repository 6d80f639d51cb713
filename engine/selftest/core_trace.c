/* The encoder against published vectors: CRC-32C (RFC 3720, B.4), COBS (Cheshire
 * and Baker), CBOR (RFC 8949, A), typed arrays (RFC 8746). */
#include <string.h>

#include "check.h"
#include "core_test.h"
#include "rtgauge/trace.h"

static uint8_t sent[4 * RTG_FRAME_MAX];
static size_t sent_size;
static bool refuse;

static int keep(const void *from, size_t size)
{
    if (refuse)
        return 1;
    memcpy(sent + sent_size, from, size);
    sent_size += size;
    return 0;
}

void test_crc(void)
{
    uint8_t bytes[32];
    CHECK_EQUAL(rtg_crc32c(0, "123456789", 9), 0xe3069283u);
    memset(bytes, 0, sizeof bytes);
    CHECK_EQUAL(rtg_crc32c(0, bytes, 32), 0x8a9136aau);
    memset(bytes, 0xff, sizeof bytes);
    CHECK_EQUAL(rtg_crc32c(0, bytes, 32), 0x62a8ab43u);
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)i;
    CHECK_EQUAL(rtg_crc32c(0, bytes, 32), 0x46dd794eu);
    CHECK_EQUAL(rtg_crc32c(rtg_crc32c(0, bytes, 10), bytes + 10, 22), 0x46dd794eu);
}

static void round_trip(const uint8_t *from, size_t size, size_t wanted)
{
    uint8_t stuffed[2048], back[2048];
    size_t used = rtg_cobs_encode(from, size, stuffed);
    CHECK_EQUAL(used, wanted);
    CHECK(memchr(stuffed, 0, used) == NULL);
    CHECK_EQUAL(rtg_cobs_decode(stuffed, used, back), size);
    CHECK(memcmp(back, from, size) == 0);
}

void test_cobs(void)
{
    uint8_t bytes[1024], out[8];
    round_trip((const uint8_t *)"\0", 1, 2);
    round_trip((const uint8_t *)"\0\0", 2, 3);
    round_trip((const uint8_t *)"\x11\x22\0\x33", 4, 5);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i % 255 + 1);
    round_trip(bytes, 253, 254);
    round_trip(bytes, 254, 255);
    round_trip(bytes, 255, 257);
    round_trip(bytes, 508, 510);
    bytes[254] = 0;
    round_trip(bytes, 255, 257);
    CHECK_EQUAL(rtg_cobs_decode((const uint8_t *)"\x05\x01", 2, out), (size_t)-1);
    CHECK_EQUAL(rtg_cobs_decode((const uint8_t *)"\x00", 1, out), (size_t)-1);
    CHECK_EQUAL(rtg_cobs_decode((const uint8_t *)"\x03\x01\x00", 3, out), (size_t)-1);
}

/* What the items put into `out` since its record began look like. */
static void expect(struct rtg_out *out, const char *bytes, size_t size)
{
    CHECK_EQUAL(out->used - 5, size);
    CHECK(memcmp(out->frame + 5, bytes, size) == 0);
    rtg_record_begin(out, 0);
}

void test_cbor(void)
{
    static struct rtg_out out;
    const uint32_t values[2] = {1, 2};
    rtg_out_init(&out, keep);
    rtg_record_begin(&out, 0);
    rtg_put_uint(&out, 23);
    expect(&out, "\x17", 1);
    rtg_put_uint(&out, 24);
    expect(&out, "\x18\x18", 2);
    rtg_put_uint(&out, 1000);
    expect(&out, "\x19\x03\xe8", 3);
    rtg_put_uint(&out, 1000000);
    expect(&out, "\x1a\x00\x0f\x42\x40", 5);
    rtg_put_uint(&out, UINT64_MAX);
    expect(&out, "\x1b\xff\xff\xff\xff\xff\xff\xff\xff", 9);
    rtg_put_int(&out, -1);
    expect(&out, "\x20", 1);
    rtg_put_int(&out, -1000);
    expect(&out, "\x39\x03\xe7", 3);
    rtg_put_int(&out, INT64_MIN);
    expect(&out, "\x3b\x7f\xff\xff\xff\xff\xff\xff\xff", 9);
    rtg_put_bool(&out, true);
    rtg_put_bool(&out, false);
    rtg_put_text(&out, NULL);
    expect(&out, "\xf5\xf4\xf6", 3);
    rtg_put_text(&out, "IETF");
    expect(&out, "\x64IETF", 5);
    rtg_put_array(&out, 2);
    rtg_put_bytes(&out, "\x01\x02", 2);
    expect(&out, "\x82\x42\x01\x02", 4);
    rtg_put_typed(&out, values, 2, 4);
    CHECK_EQUAL(out.used - 5, 2 + 1 + 8);
    CHECK_EQUAL(out.frame[5], 0xd8);
    CHECK(memcmp(out.frame + 8, values, 8) == 0);
    uint8_t first;
    memcpy(&first, values, 1);
    CHECK_EQUAL(out.frame[6], first == 1 ? 70 : 66); /* little : big endian */
}

void test_frames(void)
{
    static struct rtg_out out;
    static const uint8_t big[RTG_FRAME_MAX];
    static uint8_t back[RTG_FRAME_MAX];
    rtg_out_init(&out, keep);
    sent_size = 0;
    rtg_record_begin(&out, 1);
    rtg_put_text(&out, "r");
    rtg_put_text(&out, "x");
    rtg_record_end(&out);
    CHECK_EQUAL(sent[sent_size - 1], 0);
    size_t size = rtg_cobs_decode(sent, sent_size - 1, back);
    CHECK_EQUAL(size, 4 + 5 + 4);
    CHECK(memcmp(back, "\0\0\0\0\xa1\x61r\x61x", 9) == 0);
    uint32_t crc = rtg_crc32c(0, back, size - 4);
    for (int i = 0; i < 4; i++)
        CHECK_EQUAL(back[size - 4 + (size_t)i], crc >> 8 * i & 0xff);
    CHECK_EQUAL(out.sequence, 1);

    /* What does not fit is counted, not sent, and leaves no gap. */
    size_t before = sent_size;
    rtg_record_begin(&out, 1);
    rtg_put_bytes(&out, big, sizeof big);
    rtg_record_end(&out);
    CHECK_EQUAL(sent_size, before);
    CHECK_EQUAL(out.too_long, 1);
    CHECK_EQUAL(out.sequence, 1);
    rtg_record_begin(&out, 0);
    CHECK_EQUAL(rtg_out_room(&out), RTG_FRAME_MAX - 4 - 1 - 4);
    rtg_put_bytes(&out, big, rtg_out_room(&out) - 3);
    CHECK_EQUAL(rtg_out_room(&out), 0);
    rtg_record_end(&out);
    CHECK_EQUAL(out.sequence, 2);

    /* After a failed write nothing more is written. */
    refuse = true;
    rtg_record_begin(&out, 0);
    rtg_record_end(&out);
    CHECK(out.broken);
    refuse = false;
    before = sent_size;
    rtg_record_begin(&out, 0);
    rtg_record_end(&out);
    CHECK_EQUAL(sent_size, before);
}
