/* Anything at all comes over the line: nothing is overrun, nothing hangs, and no byte of the
 * request is taken that its host did not send. Meant for a build with sanitizers. */
#include <string.h>

#include "check.h"
#include "link_test.h"
#include "rtgauge/port.h"

enum { ROUNDS = 300 };

static struct rtg_link link;

/* Bytes, packets and pieces of packets of all kinds, also with sessions and numbers that fit. */
static void rubbish(void)
{
    static const uint8_t kinds[] = "HODATE?";
    uint8_t bytes[600];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)line_random(line_random(2) ? 256 : 4);
    if (line_random(3) == 0) {
        line_bytes(bytes, line_random(sizeof bytes));
    } else {
        uint16_t session = (uint16_t)(line_random(3) ? line.session : line_random(65536));
        uint16_t number = (uint16_t)(line_random(2) ? line_random(20) : line_random(65536));
        uint8_t kind = kinds[line_random(sizeof kinds - 1)];
        uint32_t size = line_random(300);
        if (kind == 'A' && line_random(4) != 0)
            size = 2;
        if (kind == 'D' && session == line.session) {
            bytes[0] = 'q';
            size = 1;
        }
        line_packet(kind, session, number, bytes, size);
    }
}

static void round_of(uint64_t seed)
{
    uint8_t to[64];
    line_init(seed);
    line.deaf = line_random(2) == 0;
    line.drop = line_random(3) * 2000;
    line.flip = line_random(3) * 2000;
    rtg_link_init(&link, &test_line, "fuzz");
    for (int i = 0; i < 20; i++)
        rubbish();
    line_packet('O', line.session, 0, NULL, 0);
    line.drop = line.flip = 0;
    line_packet('O', line.session, 0, NULL, 0);
    for (uint16_t i = 0; i < 30; i++)
        line_packet('D', line.session, i, "q", 1);
    long got;
    int most = 40;
    while ((got = rtg_link_read(&link, to, sizeof to)) > 0 && --most != 0) {
        for (long i = 0; i < got; i++)
            CHECK_EQUAL(to[i], 'q');
        CHECK(got <= (long)sizeof to);
    }
    for (int i = 0; i < 10; i++) {
        rubbish();
        rtg_link_stop_asked(&link);
        uint64_t begin = line.now;
        rtg_link_write(&link, line.got, line_random(5000));
        CHECK(line.now - begin < 100 * RTG_LINK_PATIENCE_NS);
    }
    rubbish();
    rtg_link_say(&link, "the end");
    rtg_link_end(&link, 0);
}

void test_link_fuzz(void)
{
    for (uint64_t seed = 1; seed <= ROUNDS; seed++)
        round_of(seed);
}
