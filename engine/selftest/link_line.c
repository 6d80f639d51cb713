#include <string.h>

#include "check.h"
#include "link_test.h"
#include "rtgauge/trace.h"

struct line line;

void line_init(uint64_t seed)
{
    memset(&line, 0, sizeof line);
    line.random = seed * 2654435761u + 1;
    line.answer_ns = 1000000;
    line.session = 7;
    line.limit = UINT64_MAX;
    line.confirms = true;
}

uint32_t line_random(uint32_t below)
{
    line.random ^= line.random << 13;
    line.random ^= line.random >> 7;
    line.random ^= line.random << 17;
    return (uint32_t)(line.random >> 16) % below;
}

static bool happens(uint32_t in_a_million)
{
    return in_a_million != 0 && line_random(1000000) < in_a_million;
}

/* What becomes of one byte: how many come out, into to[2]. */
static unsigned carried(uint8_t byte, uint8_t *to)
{
    unsigned n = 0;
    if (happens(line.noise))
        to[n++] = (uint8_t)line_random(256);
    if (happens(line.drop))
        return n;
    if (happens(line.flip))
        byte ^= (uint8_t)(1u << line_random(8));
    to[n++] = byte;
    return n;
}

/* ---- to the board -------------------------------------------------------- */

static void send_byte(uint8_t byte, uint64_t due)
{
    uint8_t out[2];
    unsigned n = carried(byte, out);
    for (unsigned i = 0; i < n; i++) {
        line.queue[line.tail % LINE_ROOM] = out[i];
        line.due[line.tail++ % LINE_ROOM] = due;
    }
}

void line_bytes(const void *bytes, size_t size)
{
    uint64_t due = line.now + line.answer_ns;
    if (line.tail != line.head && line.due[(line.tail - 1) % LINE_ROOM] > due)
        due = line.due[(line.tail - 1) % LINE_ROOM];
    for (size_t i = 0; i < size; i++)
        send_byte(((const uint8_t *)bytes)[i], due += LINE_BYTE_NS);
}

static void little_endian(uint8_t *to, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

void line_packet(uint8_t kind, uint16_t session, uint16_t number, const void *payload, size_t size)
{
    uint8_t packet[512], stuffed[520] = {0};
    packet[0] = kind;
    little_endian(packet + 1, session, 2);
    little_endian(packet + 3, number, 2);
    if (size != 0)
        memcpy(packet + 5, payload, size);
    little_endian(packet + 5 + size, rtg_crc32c(0, packet, 5 + size), 4);
    size_t used = rtg_cobs_encode(packet, 9 + size, stuffed + 1);
    stuffed[used + 1] = 0;
    for (int n = happens(line.twice) ? 2 : 1; n != 0; n--)
        line_bytes(stuffed, used + 2);
}

/* ---- the host ------------------------------------------------------------ */

static uint32_t number_at(const uint8_t *at, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

static void data_came(uint16_t number, const uint8_t *from, size_t size)
{
    uint16_t ahead = (uint16_t)(number - line.expected);
    if (ahead >= 16 || line.is_early[number % 16]) {
        line.twice_there++;
    } else {
        line.is_early[number % 16] = true;
        line.early_size[number % 16] = size;
        memcpy(line.early[number % 16], from, size);
    }
    while (line.is_early[line.expected % 16]) {
        unsigned at = line.expected++ % 16;
        line.is_early[at] = false;
        if (line.size + line.early_size[at] <= sizeof line.got)
            memcpy(line.got + line.size, line.early[at], line.early_size[at]);
        line.size += line.early_size[at];
    }
    uint8_t bits[2];
    uint32_t early = 0;
    for (unsigned i = 0; i < 16; i++)
        early |= (uint32_t)line.is_early[(line.expected + i) % 16] << i;
    little_endian(bits, early, 2);
    if (!line.deaf)
        line_packet('A', line.session, line.expected, bits, 2);
}

static void packet_came(const uint8_t *packet, size_t size)
{
    uint16_t session = (uint16_t)number_at(packet + 1, 2);
    uint16_t number = (uint16_t)number_at(packet + 3, 2);
    line.packets++;
    line.hellos += packet[0] == 'H';
    line.nameless += packet[0] == 'H' && session == 0;
    line.texts += packet[0] == 'T';
    line.mindful |= packet[0] == 'H' && session == line.session;
    if (session != line.session)
        return;
    if (packet[0] == 'A') {
        line.acks++;
        line.acknowledged = number;
    } else if (packet[0] == 'D') {
        data_came(number, packet + 5, size - 9);
    } else if (packet[0] == 'E') {
        line.ends++;
        line.status = (int32_t)number_at(packet + 5, 4);
        if (line.confirms)
            line_packet('E', line.session, 0, NULL, 0);
    }
}

static void byte_came(uint8_t byte)
{
    if (byte != 0) {
        if (line.used < sizeof line.wire)
            line.wire[line.used++] = byte;
        return;
    }
    size_t size = rtg_cobs_decode(line.wire, line.used, line.wire);
    bool whole = size != (size_t)-1 && size >= 9 &&
                 number_at(line.wire + size - 4, 4) == rtg_crc32c(0, line.wire, size - 4);
    if (whole)
        packet_came(line.wire, size);
    else if (line.used != 0)
        line.damaged++;
    line.used = 0;
}

/* ---- the board's side ---------------------------------------------------- */

static void put_byte(uint8_t byte)
{
    uint8_t out[2];
    line.now += LINE_BYTE_NS;
    line.looks = 0;
    unsigned n = line.lose != 0 && --line.lose == 0 ? 0 : carried(byte, out);
    for (unsigned i = 0; i < n; i++)
        byte_came(out[i]);
}

/* Looking takes no time beside what a byte takes, and 200 us where one only looks. */
static int get_byte(void)
{
    uint64_t due = line.head == line.tail ? UINT64_MAX : line.due[line.head % LINE_ROOM];
    if (due > line.now) {
        uint64_t wait = due - line.now;
        if (line.looks++ > 2)
            line.now += wait > 200000 ? 200000 : wait;
        return -1;
    }
    return line.queue[line.head++ % LINE_ROOM];
}

static uint64_t now_ns(void)
{
    return line.now;
}

static uint64_t limit_ns(void)
{
    return line.limit;
}

const struct rtg_link_line test_line = {put_byte, get_byte, now_ns, limit_ns};

void line_opened(struct rtg_link *link)
{
    uint8_t byte = 0;
    rtg_link_init(link, &test_line, "test");
    line_packet('O', line.session, 0, NULL, 0);
    line_packet('D', line.session, 0, "x", 1);
    CHECK_EQUAL(rtg_link_read(link, &byte, 1), 1);
    CHECK_EQUAL(byte, 'x');
}
