/* The link to a host that is there, that is gone, and that is another one. */
#include <string.h>

#include "check.h"
#include "link_test.h"
#include "rtgauge/port.h"

#define SECOND 1000000000ull

static struct rtg_link link;
static uint8_t sent[100000];

static void fill(size_t size)
{
    for (size_t i = 0; i < size; i++)
        sent[i] = (uint8_t)line_random(i % 3 == 0 ? 2 : 256); /* many zeros among them */
}

/* Reads `size` bytes of a request that is sent in packets, each of them `times` times. */
static void read_request(size_t size, int times)
{
    uint8_t got[1000] = {0};
    size_t have = 0;
    uint16_t number = 0;
    fill(size);
    line_packet('O', line.session, 0, NULL, 0);
    while (have < size) {
        size_t piece = size - have < RTG_LINK_PAYLOAD ? size - have : RTG_LINK_PAYLOAD;
        for (int n = 0; n < times; n++)
            line_packet('D', line.session, number, sent + have, piece);
        for (size_t i = 0; i < piece; i++)
            CHECK_EQUAL(rtg_link_read(&link, got + have + i, 1), 1);
        have += piece;
        number++;
    }
    CHECK(memcmp(got, sent, size) == 0);
}

void test_link_read(void)
{
    line_init(1);
    rtg_link_init(&link, &test_line, "test");
    line_bytes("U-Boot 2023.04\r\n\0\0\3\3", 20);
    line.answer_ns = 3500000000u;   /* the host comes late: meanwhile hello is said */
    line_packet('D', 9, 0, "y", 1); /* of another one */
    line_packet('O', 0, 0, NULL, 0);
    read_request(700, 1);
    CHECK(line.hellos >= 4 && line.mindful);
    CHECK_EQUAL(line.acknowledged, 3);
    CHECK(link.damaged >= 1);

    line_init(2);
    rtg_link_init(&link, &test_line, NULL);
    read_request(500, 3);
    CHECK_EQUAL(line.acknowledged, 3);
    CHECK(line.acks > 3);

    /* A host that opened and left is forgotten; the next one is served. */
    line_init(3);
    rtg_link_init(&link, &test_line, "test");
    line_packet('O', 8, 0, NULL, 0);
    line.answer_ns = 15 * SECOND;
    read_request(10, 1);
    CHECK_EQUAL(link.session, 7);
    CHECK(line.nameless >= 4); /* at first, and again when it was forgotten */

    /* Nobody comes, and the clock has counted half of what it can: not while one is there. */
    uint8_t none;
    line_init(15);
    line.limit = 40 * SECOND;
    line.now = 11 * SECOND;
    rtg_link_init(&link, &test_line, "test");
    line_packet('O', 8, 0, NULL, 0);
    CHECK_EQUAL(rtg_link_read(&link, &none, 1), -1);
    CHECK(line.now >= 21 * SECOND && line.now < 23 * SECOND); /* when that one was forgotten */
    CHECK_EQUAL(rtg_link_write(&link, sent, 5), RTG_EFAIL);
    line_init(16);
    line.limit = 40 * SECOND;
    line.now = 30 * SECOND;
    line_opened(&link);

    /* A piece that comes too early does not replace the one that is being read. */
    line_init(13);
    rtg_link_init(&link, &test_line, "a board whose name takes long to be said");
    uint8_t got[8];
    line_packet('O', line.session, 0, NULL, 0);
    line_packet('D', line.session, 0, "first", 5);
    line_packet('D', line.session, 1, "second", 6);
    CHECK_EQUAL(rtg_link_read(&link, got, sizeof got), 5);
    CHECK(memcmp(got, "first", 5) == 0);
    line_packet('D', line.session, 1, "second", 6);
    CHECK_EQUAL(rtg_link_read(&link, got, sizeof got), 6);
    CHECK(memcmp(got, "second", 6) == 0);

    /* Nothing damaged is taken. */
    static const uint8_t forged[] = {0, 11, 'D', 7, 1, 1, 'x', 'x', 'x', 'x', 'x', 'x', 0};
    line_init(14);
    line.session = 0x107;
    line_opened(&link);
    line_bytes(forged, sizeof forged);
    line.now += SECOND;
    CHECK_EQUAL(rtg_link_read(&link, got, sizeof got), -1);
    CHECK_EQUAL(link.damaged, 1);

    /* One that leaves in the middle of its request. */
    line_init(4);
    line_opened(&link);
    uint64_t begin = line.now;
    CHECK_EQUAL(rtg_link_read(&link, got, 1), -1);
    CHECK(line.now - begin >= RTG_LINK_PATIENCE_NS);
    CHECK(line.now - begin < RTG_LINK_PATIENCE_NS + SECOND);
}

static void write_all(size_t size, size_t piece)
{
    size_t before = line.size;
    fill(size);
    for (size_t at = 0; at < size; at += piece) {
        size_t n = size - at < piece ? size - at : piece;
        CHECK_EQUAL(rtg_link_write(&link, sent + at, n), RTG_OK);
        CHECK_EQUAL(line.size - before, at + n); /* all of it is there when the call returns */
    }
    CHECK(memcmp(line.got + before, sent, size) == 0);
}

void test_link_write(void)
{
    static const size_t sizes[] = {1, 239, 240, 241, 480, 1000, 3840, 3841, 20000};
    line_init(5);
    line_opened(&link);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        write_all(sizes[i], sizes[i]);
    write_all(3000, 7);
    CHECK_EQUAL(rtg_link_write(&link, sent, 0), RTG_OK);
    line_packet('A', line.session, (uint16_t)(link.first + 9), "\377\377", 2); /* not sent yet */
    line_packet('A', line.session, (uint16_t)(link.first - 9), "\377\377", 2); /* long ago */
    line_packet('A', line.session, link.first, "\377", 1);
    write_all(500, 500);
    CHECK_EQUAL(link.again, 0);
    CHECK_EQUAL(line.twice_there, 0);

    /* Nearly the whole of the line's rate, although each write waits for the host. */
    uint64_t begin = line.now;
    write_all(50000, 1024);
    uint64_t least = 50000ull * LINE_BYTE_NS;
    CHECK(line.now - begin < least * 100 / 90);

    /* What was lost is sent again as soon as what was sent after it has come, and only that. */
    for (uint32_t lost = 1; lost < 4000; lost += 97) {
        uint32_t again = link.again;
        line.lose = lost;
        line.size = 0;
        begin = line.now;
        write_all(5000, 5000);
        CHECK(line.lose == 0 && link.again <= again + 1); /* none for a zero between packets */
        CHECK(line.now - begin < 5000ull * LINE_BYTE_NS * 110 / 100 + 40000000);
    }
    CHECK(link.again >= 40);
    link.again = 0;

    /* Numbers start again at 0 after 65535. */
    line.size = 0;
    line.answer_ns = 1000;
    for (int i = 0; i < 66000; i++)
        CHECK_EQUAL(rtg_link_write(&link, "z", 1), RTG_OK);
    CHECK_EQUAL(line.size, 66000);
    CHECK_EQUAL(link.again, 0);
}

void test_link_noise(void)
{
    uint32_t again = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        line_init(seed);
        line_opened(&link);
        line.answer_ns = seed % 5 * 10000000;
        line.drop = seed % 2 * 1000;
        line.flip = seed % 3 * 500;
        line.noise = seed % 4 * 300;
        line.twice = seed % 7 * 20000;
        write_all(30000, 1 + line_random(5000));
        again += link.again;
        /* What is sent again is what was damaged, its acknowledgement included, or little more. */
        CHECK(link.again <= 4 * (line.damaged + link.damaged) + 40);
    }
    CHECK(again > 100);
}

void test_link_gone(void)
{
    line_init(6);
    line_opened(&link);
    write_all(1000, 1000);
    line.deaf = true;
    uint64_t begin = line.now;
    CHECK_EQUAL(rtg_link_write(&link, sent, 500), RTG_EFAIL);
    CHECK(line.now - begin >= RTG_LINK_PATIENCE_NS && line.now - begin < 40 * SECOND);
    begin = line.now;
    CHECK_EQUAL(rtg_link_write(&link, sent, 500), RTG_EFAIL); /* at once */
    rtg_link_end(&link, 1);
    CHECK(line.now - begin < SECOND && line.ends == 0);

    /* Another host comes while this one's trace is written. */
    line_init(7);
    line_opened(&link);
    line.deaf = true;
    line_packet('O', 99, 0, NULL, 0);
    begin = line.now;
    CHECK_EQUAL(rtg_link_write(&link, sent, 5000), RTG_EFAIL);
    CHECK(line.now - begin < 2 * SECOND);

    /* The same one asks again: that changes nothing. */
    line_init(8);
    line_opened(&link);
    line_packet('O', line.session, 0, NULL, 0);
    write_all(2000, 2000);

    /* A board that was never asked. */
    rtg_link_init(&link, &test_line, "test");
    begin = line.now;
    CHECK_EQUAL(rtg_link_write(&link, sent, 5), RTG_EFAIL);
    rtg_link_end(&link, 0);
    CHECK(line.now - begin < SECOND);
}

void test_link_stop(void)
{
    static const uint8_t stops[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    line_init(9);
    line_opened(&link);
    line_bytes(stops, 15);
    line_bytes("a", 1);
    line_bytes(stops, 15);
    line.now += SECOND;
    CHECK(!rtg_link_stop_asked(&link));
    line_bytes(stops, 1);
    line.now += SECOND;
    CHECK(rtg_link_stop_asked(&link));
    CHECK(rtg_link_stop_asked(&link));
    write_all(1000, 1000); /* what there is still goes out */

    /* Also one that comes during a write. */
    line_init(10);
    line_opened(&link);
    line_bytes(stops, 16);
    write_all(1000, 1000);
    CHECK(rtg_link_stop_asked(&link));
    CHECK_EQUAL(link.again + link.damaged, 0);
}

void test_link_end(void)
{
    line_init(11);
    line_opened(&link);
    for (int i = 0; i < 5; i++)
        test_line.put('?'); /* somebody else wrote, or a packet was cut short */
    rtg_link_say(&link, "rtgauge: hard fault: pc 0x100");
    rtg_link_say(&link, NULL);
    uint64_t begin = line.now;
    rtg_link_end(&link, 87);
    CHECK_EQUAL(line.texts, 2);
    CHECK_EQUAL(line.status, 87);
    CHECK_EQUAL(line.ends, 1);
    CHECK(line.now - begin < SECOND);

    line_init(12);
    line.confirms = false;
    line_opened(&link);
    begin = line.now;
    rtg_link_end(&link, 0);
    CHECK(line.ends > 20);
    CHECK(line.now - begin >= RTG_LINK_PARTING_NS && line.now - begin < 4 * SECOND);
}
