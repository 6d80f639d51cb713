/*
 * link_test.h - a line in virtual time with a host at its other end, for the tests of
 * engine/boards/common/link.c. What goes over the line is damaged on request, by a seed.
 */
#ifndef RTGAUGE_LINK_TEST_H
#define RTGAUGE_LINK_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link.h"

#define LINE_BYTE_NS 86806u /* 115200 baud */
#define LINE_ROOM 65536u

struct line {
    uint64_t now, limit;
    uint64_t answer_ns;                /* that the host takes for each packet */
    uint32_t drop, flip, twice, noise; /* so many in a million bytes, either way */
    uint64_t random;
    uint32_t lose; /* this byte from the board is lost; 0: none */
    bool deaf;     /* the host answers nothing */
    bool mindful;  /* the host knows the session */

    uint8_t queue[LINE_ROOM]; /* on its way to the board */
    uint64_t due[LINE_ROOM];
    uint32_t head, tail;
    uint32_t looks; /* in vain, since the last byte went out */

    /* the host */
    uint16_t session, expected;
    uint8_t wire[512], early[16][RTG_LINK_PAYLOAD];
    size_t used, early_size[16];
    bool is_early[16];
    uint8_t got[1 << 17];
    size_t size;       /* bytes of the channel that came */
    uint32_t nameless; /* hellos of no conversation */
    uint32_t hellos, packets, damaged, twice_there, texts, ends, acks;
    uint16_t acknowledged; /* number of the last acknowledgement of the request */
    int32_t status;
    bool confirms; /* tells the board that it knows the status */
};

extern struct line line;
extern const struct rtg_link_line test_line;

void line_init(uint64_t seed);
uint32_t line_random(uint32_t below);
/* Puts a packet, or plain bytes, on the way to the board. */
void line_packet(uint8_t kind, uint16_t session, uint16_t number, const void *payload, size_t size);
void line_bytes(const void *bytes, size_t size);
/* A link that a host with this session has opened, and that has read a request of one byte. */
void line_opened(struct rtg_link *link);

void test_link_read(void);
void test_link_write(void);
void test_link_noise(void);
void test_link_gone(void);
void test_link_stop(void);
void test_link_end(void);
void test_link_fuzz(void);

#endif
