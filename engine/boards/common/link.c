/*
 * A packet is 0x00 COBS( kind | session | number | payload | CRC-32C ) 0x00, numbers in
 * little-endian order. What was lost is known by what has come of what was sent after it: a
 * line keeps the order.
 */
#include "link.h"

#include <string.h>

#include "rtgauge/port.h"
#include "rtgauge/trace.h"

enum kind {
    HELLO = 'H', /* board: version, frame size, most jobs, name; number 0 */
    OPEN = 'O',  /* host: begins the conversation `session`; answered by HELLO */
    DATA = 'D',
    ACK = 'A',  /* number: of the first one that is missing; u16: bit i, number + i is there */
    TEXT = 'T', /* board: for people */
    END = 'E'   /* board: status and counts, until the host sends one back */
};

enum owed { OWES_HELLO = 1, OWES_ACK = 2 };

enum {
    VERSION = 1,
    HELLO_BYTES = 7,
    NAME_BYTES = 64,
    END_BYTES = 16,
    MOST_AT_ONCE = 64 /* bytes that are looked at before the caller goes on */
};

#define MS 1000000ull
#define SAY_HELLO_NS (1000 * MS)
#define FORGET_NS (10000 * MS) /* a host that opened and then asked for nothing is gone */
#define REPEAT_NS (100 * MS)
#define FIRST_TRIP_NS (50 * MS)
#define LEAST_WAIT_NS (50 * MS)
#define MOST_WAIT_NS (1600 * MS)

#ifdef RTG_MAX_JOBS
enum { MOST_JOBS = RTG_MAX_JOBS };
#else
enum { MOST_JOBS = 0 }; /* more than a host asks for */
#endif

_Static_assert(RTG_LINK_PACKET < 254, "a packet is one group of COBS");
_Static_assert(RTG_LINK_WINDOW <= 16, "an acknowledgement names 16 packets");

static void put_number(uint8_t *to, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get_number(const uint8_t *from, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)from[i] << 8 * i;
    return value;
}

static uint64_t since(const struct rtg_link *link, uint64_t then)
{
    return link->line->now() - then;
}

/* ---- in ----------------------------------------------------------------- */

static void opened(struct rtg_link *link, uint16_t session)
{
    if (session == 0)
        return;
    if (session != link->session) {
        if (link->writing || link->expected != 0) {
            link->broken = true; /* the engine is at another host's request */
            return;
        }
        link->session = session;
    }
    link->owed |= OWES_HELLO;
}

static void request_came(struct rtg_link *link, uint16_t number, const uint8_t *from, size_t size)
{
    if (link->writing)
        return; /* it is known to be there by what we write */
    if (number == link->expected) {
        if (link->have != link->given || size == 0)
            return; /* the host sends it again */
        memcpy(link->in, from, size);
        link->have = (uint16_t)size;
        link->given = 0;
        link->expected++;
    }
    link->owed |= OWES_ACK;
}

/* Packets base to base + `count`, and those whose bit is set, have arrived. */
static void acknowledged(struct rtg_link *link, uint16_t number, uint32_t bits)
{
    uint32_t under_way = link->sent - link->base;
    uint32_t count = (uint16_t)(number - link->first - link->base);
    if (!link->writing || count > under_way)
        return; /* it is late */
    uint32_t came = bits << count | ((1u << count) - 1);
    came &= (1u << under_way) - 1;
    uint32_t newest = 0;
    for (uint32_t i = 0; i < under_way; i++) {
        uint32_t order = link->order[(link->base + i) % RTG_LINK_WINDOW];
        if ((came >> i & 1) != 0 && order > newest)
            newest = order;
    }
    if ((came & ~link->arrived) != 0 || count != 0)
        link->moved = true;
    link->arrived |= came;
    for (uint32_t i = 0; i < under_way; i++) {
        if (link->order[(link->base + i) % RTG_LINK_WINDOW] < newest)
            link->due |= 1u << i;
    }
    link->due &= ~link->arrived;
    link->base += count;
    link->arrived >>= count;
    link->due >>= count;
}

static void take_packet(struct rtg_link *link, const uint8_t *packet, size_t size)
{
    uint16_t session = (uint16_t)get_number(packet + 1, 2);
    uint16_t number = (uint16_t)get_number(packet + 3, 2);
    const uint8_t *payload = packet + RTG_LINK_HEAD;
    size -= RTG_LINK_HEAD;
    if (packet[0] == OPEN)
        opened(link, session);
    if (session != link->session || session == 0)
        return;
    if (packet[0] == DATA && size <= RTG_LINK_PAYLOAD)
        request_came(link, number, payload, size);
    else if (packet[0] == ACK && size == 2)
        acknowledged(link, number, get_number(payload, 2));
    else if (packet[0] == END)
        link->ended = true;
}

static void packet_ends(struct rtg_link *link)
{
    size_t size = link->used;
    link->used = 0;
    if (!link->spoilt && size == 0)
        return;
    size_t got = link->spoilt ? (size_t)-1 : rtg_cobs_decode(link->wire, size, link->wire);
    link->spoilt = false;
    bool whole = got != (size_t)-1 && got >= RTG_LINK_HEAD + RTG_LINK_CRC;
    if (whole) {
        got -= RTG_LINK_CRC;
        whole = get_number(link->wire + got, 4) == rtg_crc32c(0, link->wire, got);
    }
    if (whole)
        take_packet(link, link->wire, got);
    else
        link->damaged++;
}

/* Whether it is the last of those that ask for the end. Of several threads at once too: at
 * worst one byte counts for nothing. */
static bool mind(struct rtg_link *link, int byte)
{
    unsigned in_a_row = byte == RTG_LINK_STOP ? atomic_load(&link->attention) + 1u : 0;
    atomic_store(&link->attention, (unsigned char)(in_a_row % RTG_LINK_STOPS));
    if (in_a_row == RTG_LINK_STOPS)
        atomic_store(&link->stop, true);
    return in_a_row == RTG_LINK_STOPS;
}

/* Takes what the line has brought. */
static void look(struct rtg_link *link)
{
    for (int n = 0; n < MOST_AT_ONCE; n++) {
        int byte = link->line->get();
        if (byte < 0)
            return;
        if (mind(link, byte))
            link->used = 0; /* they are no packet */
        else if (byte == 0)
            packet_ends(link);
        else if (link->used < sizeof link->wire)
            link->wire[link->used++] = (uint8_t)byte;
        else
            link->spoilt = true;
    }
}

/* ---- out ---------------------------------------------------------------- */

/* Goes on listening meanwhile: a line may hold no more than one byte. */
static void put(struct rtg_link *link, uint8_t byte)
{
    link->line->put(byte);
    look(link);
}

static void send(struct rtg_link *link, enum kind kind, uint16_t number, const void *payload,
                 size_t size)
{
    uint8_t *packet = link->packet;
    packet[0] = (uint8_t)kind;
    put_number(packet + 1, link->session, 2);
    put_number(packet + 3, number, 2);
    if (size != 0)
        memcpy(packet + RTG_LINK_HEAD, payload, size);
    size += RTG_LINK_HEAD;
    put_number(packet + size, rtg_crc32c(0, packet, size), 4);
    size = rtg_cobs_encode(packet, size + RTG_LINK_CRC, link->stuffed);
    put(link, 0);
    for (size_t i = 0; i < size; i++)
        put(link, link->stuffed[i]);
    put(link, 0);
}

static size_t text_size(const char *text, size_t most)
{
    size_t size = 0;
    while (text != NULL && size < most && text[size] != 0)
        size++;
    return size;
}

static void say_hello(struct rtg_link *link)
{
    uint8_t hello[HELLO_BYTES + NAME_BYTES];
    size_t name = text_size(link->name, NAME_BYTES);
    hello[0] = VERSION;
    put_number(hello + 1, RTG_FRAME_MAX, 4);
    put_number(hello + 5, MOST_JOBS, 2);
    if (name != 0)
        memcpy(hello + HELLO_BYTES, link->name, name);
    send(link, HELLO, 0, hello, HELLO_BYTES + name);
}

static void answer(struct rtg_link *link)
{
    static const uint8_t none[2];
    uint8_t owed = link->owed;
    link->owed = 0;
    if (owed & OWES_HELLO)
        say_hello(link);
    if (owed & OWES_ACK)
        send(link, ACK, link->expected, none, sizeof none);
}

static void send_piece(struct rtg_link *link, const uint8_t *from, size_t size, uint32_t i)
{
    size_t at = (size_t)i * RTG_LINK_PAYLOAD;
    size_t left = size - at;
    link->order[i % RTG_LINK_WINDOW] = ++link->orders;
    link->packets++;
    send(link, DATA, (uint16_t)(link->first + i), from + at,
         left < RTG_LINK_PAYLOAD ? left : RTG_LINK_PAYLOAD);
}

/* Sends the next packet that is to be sent; false when there is none at the moment. */
static bool send_next(struct rtg_link *link, const uint8_t *from, size_t size, uint32_t count)
{
    if (link->due != 0) {
        uint32_t i = 0;
        while ((link->due >> i & 1) == 0)
            i++;
        link->due &= ~(1u << i);
        link->again++;
        send_piece(link, from, size, link->base + i);
        return true;
    }
    if (link->sent == count || link->sent - link->base == RTG_LINK_WINDOW)
        return false;
    link->sent++;
    send_piece(link, from, size, link->sent - 1);
    return true;
}

static uint64_t first_wait(const struct rtg_link *link)
{
    uint64_t wait = 4 * link->trip_ns;
    return wait < LEAST_WAIT_NS ? LEAST_WAIT_NS : wait < MOST_WAIT_NS ? wait : MOST_WAIT_NS;
}

static void deliver(struct rtg_link *link, const uint8_t *from, size_t size)
{
    uint32_t count = (uint32_t)((size + RTG_LINK_PAYLOAD - 1) / RTG_LINK_PAYLOAD);
    uint64_t wait = first_wait(link), moved = link->line->now(), silent = moved;
    while (link->base != count && !link->broken) {
        if (send_next(link, from, size, count)) {
            silent = link->line->now();
        } else {
            look(link);
            if (since(link, silent) >= wait && link->base != count) {
                link->due |= 1;
                wait = 2 * wait < MOST_WAIT_NS ? 2 * wait : MOST_WAIT_NS;
            }
        }
        if (link->moved) {
            link->moved = false;
            moved = link->line->now();
            if (link->base == count)
                link->trip_ns += ((moved - silent) >> 3) - (link->trip_ns >> 3);
            wait = first_wait(link);
        } else if (since(link, moved) >= RTG_LINK_PATIENCE_NS) {
            link->broken = true;
        }
    }
}

/* ---- what a board calls ------------------------------------------------- */

void rtg_link_init(struct rtg_link *link, const struct rtg_link_line *line, const char *name)
{
    memset(link, 0, sizeof *link);
    link->line = line;
    link->name = name;
    link->trip_ns = FIRST_TRIP_NS;
}

/* Waits for the next packet of the request. */
static void wait_for_request(struct rtg_link *link)
{
    uint64_t heard = link->line->now(), said = heard - SAY_HELLO_NS;
    while (link->have == link->given && !link->broken) {
        look(link);
        if (link->owed != 0)
            heard = said = link->line->now();
        answer(link);
        if (link->expected != 0) {
            link->broken = since(link, heard) >= RTG_LINK_PATIENCE_NS;
        } else if (since(link, said) >= SAY_HELLO_NS) {
            said = link->line->now();
            if (since(link, heard) >= FORGET_NS) {
                link->session = 0;
                link->broken = said >= link->line->limit() / 2;
            }
            if (!link->broken)
                say_hello(link);
        }
    }
}

long rtg_link_read(struct rtg_link *link, void *to, size_t size)
{
    if (link->have == link->given) {
        atomic_store(&link->busy, true);
        wait_for_request(link);
        atomic_store(&link->stop, false);
        atomic_store(&link->busy, false);
    }
    size_t left = (size_t)(link->have - link->given);
    if (left == 0)
        return -1;
    if (size > left)
        size = left;
    memcpy(to, link->in + link->given, size);
    link->given = (uint16_t)(link->given + size);
    return (long)size;
}

int rtg_link_write(struct rtg_link *link, const void *from, size_t size)
{
    atomic_store(&link->busy, true);
    if (link->session == 0)
        link->broken = true;
    link->writing = true;
    link->base = link->sent = link->arrived = link->due = 0;
    deliver(link, from, size);
    link->first = (uint16_t)(link->first + link->sent);
    atomic_store(&link->busy, false);
    return link->broken ? RTG_EFAIL : RTG_OK;
}

bool rtg_link_stop_asked(struct rtg_link *link)
{
    for (int n = 0; n < MOST_AT_ONCE && !atomic_load(&link->busy); n++) {
        int byte = link->line->get();
        if (byte < 0)
            break;
        mind(link, byte);
    }
    return atomic_load(&link->stop) || link->broken;
}

void rtg_link_say(struct rtg_link *link, const char *text)
{
    send(link, TEXT, 0, text, text_size(text, RTG_LINK_PAYLOAD));
}

void rtg_link_end(struct rtg_link *link, int status)
{
    uint64_t begin = link->line->now(), said = begin - REPEAT_NS;
    link->writing = true;
    while (link->session != 0 && !link->ended && !link->broken &&
           since(link, begin) < RTG_LINK_PARTING_NS) {
        if (since(link, said) >= REPEAT_NS) {
            uint8_t end[END_BYTES];
            put_number(end, (uint32_t)status, 4);
            put_number(end + 4, link->packets, 4);
            put_number(end + 8, link->again, 4);
            put_number(end + 12, link->damaged, 4);
            said = link->line->now();
            send(link, END, 0, end, sizeof end);
        }
        look(link);
    }
}
