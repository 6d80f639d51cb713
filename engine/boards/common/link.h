/*
 * link.h - a serial line as a channel to the host (docs/serial.md): request in, trace out,
 * whole and in order, or the link breaks. Polled: no interrupt, no DMA, no allocation, one
 * packet of memory in each direction, since a write returns when the host has it all. So
 * the line is silent while samples are taken.
 *
 * One caller at a time, but for rtg_link_stop_asked (any) and rtg_link_say and rtg_link_end
 * (also out of a handler of faults, whatever it interrupted). A board uses it so:
 *
 *   static const struct rtg_link_line line = {rtg_board_serial_put, rtg_board_serial_get,
 *                                             rtg_board_now, rtg_board_now_limit};
 *   static struct rtg_link link;
 *
 *   rtg_board_init        rtg_link_init(&link, &line, rtg_board_name())
 *   rtg_board_read        rtg_link_read(&link, to, size)
 *   rtg_board_write       rtg_link_write(&link, from, size)
 *   rtg_board_stop_asked  rtg_link_stop_asked(&link)
 *   rtg_board_say         rtg_link_say(&link, text)
 *   rtg_board_exit        rtg_link_end(&link, status), then a reset of the board, which comes
 *                         to wait for the next request
 */
#ifndef RTGAUGE_LINK_H
#define RTGAUGE_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The line, 8 bits without parity, no flow control: no byte value has a meaning of its own. */
struct rtg_link_line {
    void (*put)(uint8_t byte); /* may wait until there is room */
    int (*get)(void);          /* a byte that has come, -1: none; never waits */
    uint64_t (*now)(void);     /* ns, never steps back */
    uint64_t (*limit)(void);   /* ns: now wraps no sooner */
};

enum {
    RTG_LINK_PAYLOAD = 240, /* bytes of the channel in one packet, at most */
    RTG_LINK_HEAD = 5,      /* kind, session, number */
    RTG_LINK_CRC = 4,
    RTG_LINK_PACKET = RTG_LINK_HEAD + RTG_LINK_PAYLOAD + RTG_LINK_CRC, /* less than 255: */
    RTG_LINK_WIRE = RTG_LINK_PACKET + 1,                               /* stuffed by one byte */
    RTG_LINK_WINDOW = 16 /* packets on their way at the same time, at most */
};

struct rtg_link {
    const struct rtg_link_line *line;
    const char *name;
    atomic_bool busy; /* somebody reads or writes, and looks himself for a stop */
    uint16_t session; /* 0: none; else the host's number for this conversation */
    bool broken;      /* the host went away or began another conversation */
    bool writing;
    bool ended; /* the host knows the exit status */
    atomic_bool stop;
    atomic_uchar attention; /* bytes in a row that ask for the end */
    uint8_t owed;           /* answers, enum owed in link.c */

    /* in: the request */
    uint16_t expected;
    uint16_t have, given; /* bytes in `in`, and those of them that were read */
    uint8_t in[RTG_LINK_PAYLOAD];

    /* out: the piece under way; packet i of it has the number first + i */
    uint16_t first;
    uint32_t base, sent;             /* packets acknowledged in a row; packets sent once */
    uint32_t arrived, due;           /* bit i is packet base + i: acknowledged; to be sent again */
    uint32_t order[RTG_LINK_WINDOW]; /* of packet i at i % RTG_LINK_WINDOW: when it was last sent */
    uint32_t orders;
    bool moved;       /* something was acknowledged */
    uint64_t trip_ns; /* from a last byte to its acknowledgement, smoothed */

    uint16_t used; /* bytes of the packet that comes in */
    bool spoilt;   /* it is too long: left out up to its end */
    uint8_t wire[RTG_LINK_WIRE];
    uint8_t packet[RTG_LINK_PACKET], stuffed[RTG_LINK_WIRE]; /* of what goes out */

    uint32_t packets, again, damaged; /* sent; of them not for the first time; damaged on arrival */
};

/* `line` and `name` must stay. The line has been set up; whatever it brings until a host
 * speaks is left out. */
void rtg_link_init(struct rtg_link *link, const struct rtg_link_line *line, const char *name);

/* Reads up to `size` bytes of the request, at least 1. Waits for a host for as long as it
 * takes, saying each second that the board is there. -1: the host broke off, or none came while
 * half of the clock's limit went by: the board is to start again, so that a run finds the rest. */
long rtg_link_read(struct rtg_link *link, void *to, size_t size);

/* Returns when the host has all bytes: RTG_OK. RTG_EFAIL: the link is broken, for good: no
 * host answered for RTG_LINK_PATIENCE_NS, or another one asked for the board. */
int rtg_link_write(struct rtg_link *link, const void *from, size_t size);
#define RTG_LINK_PATIENCE_NS 30000000000ull

/* True once the host has asked for an early end: RTG_LINK_STOPS bytes RTG_LINK_STOP in a row,
 * so that a line that loses what nobody reads at once still tells. Never waits. */
bool rtg_link_stop_asked(struct rtg_link *link);
enum { RTG_LINK_STOP = 3, RTG_LINK_STOPS = 16 };

/* One line for people, of at most RTG_LINK_PAYLOAD bytes; not repeated when it is lost. */
void rtg_link_say(struct rtg_link *link, const char *text);

/* Tells the host how the engine ended, for at most RTG_LINK_PARTING_NS. Afterwards the link
 * must be made anew. */
void rtg_link_end(struct rtg_link *link, int status);
#define RTG_LINK_PARTING_NS 3000000000ull

#endif
