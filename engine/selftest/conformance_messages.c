/* Message queues: what they hold and in which order, who waits, and what they refuse. */
#include <string.h>

#include "conformance.h"

enum { MESSAGES = 3, SIZE = 16 };

static struct rtg_queue queue;
static uint32_t least; /* bytes of the shortest message that the system takes: 1, or all of SIZE */

/* A port that breaks the contract must not stop the checks for ever. */
static uint64_t soon(void)
{
    return rtg_os_now() + 100000000;
}

static void find_shortest(void)
{
    char in[SIZE];
    uint32_t size = 0, priority = 0;
    if (least == 0 && rtg_queue_send_until(&queue, "s", 1, 0, soon()) == RTG_ENOSUP) {
        check_skipped("rtg_queue_send of less than the queue's size", "not supported");
        least = SIZE;
    } else if (least == 0) {
        CHECK_EQUAL(rtg_queue_receive_until(&queue, in, &size, &priority, soon()), RTG_OK);
        least = 1;
    }
}

/* Runs a check on an empty queue of three messages of 16 bytes. */
static void with_queue(void (*check)(void))
{
    static bool named;
    int result = rtg_queue_create(&queue, MESSAGES, SIZE);
    if (result == RTG_ENOSUP) {
        if (!named)
            check_skipped("rtg_queue_create", "not supported");
        named = true;
        return;
    }
    CHECK_EQUAL(result, RTG_OK);
    find_shortest();
    check();
    CHECK_EQUAL(rtg_queue_destroy(&queue), RTG_OK);
}

static int send(char c, uint32_t priority)
{
    char message[SIZE] = {c};
    return rtg_queue_send_until(&queue, message, least, priority, soon());
}

/* The one character of the next message, '?' for an error or another form. */
static char receive(void)
{
    char got[SIZE];
    uint32_t size = 0, priority = 0;
    int error = rtg_queue_receive_until(&queue, got, &size, &priority, soon());
    CHECK_EQUAL(error, RTG_OK);
    return error == RTG_OK && size == least ? got[0] : '?';
}

static void messages_come_as_they_were_sent(void)
{
    char out[SIZE], in[SIZE];
    uint32_t size = 0, priority = 9, last = rtg_queue_priorities() - 1;
    memcpy(out, "sixteen letters!", SIZE);
    CHECK_EQUAL(rtg_queue_send(&queue, out, SIZE, last), RTG_OK);
    CHECK_EQUAL(rtg_queue_receive(&queue, in, &size, &priority), RTG_OK);
    CHECK_EQUAL(size, SIZE);
    CHECK_EQUAL(priority, last);
    CHECK(memcmp(in, out, SIZE) == 0);
}

static void messages_leave_by_priority(void)
{
    uint32_t higher = rtg_queue_priorities() > 1 ? 1 : 0;
    CHECK_EQUAL(send('a', 0), RTG_OK);
    CHECK_EQUAL(send('b', higher), RTG_OK);
    CHECK_EQUAL(send('c', higher), RTG_OK);
    char first = receive(), second = receive(), third = receive();
    CHECK_EQUAL(first, higher ? 'b' : 'a');
    CHECK_EQUAL(second, higher ? 'c' : 'b');
    CHECK_EQUAL(third, higher ? 'a' : 'c');
}

static void what_does_not_fit_is_refused(void)
{
    char in[SIZE], large[SIZE + 1] = {0};
    uint32_t size, priority;
    struct rtg_queue none;
    CHECK_EQUAL(rtg_queue_send(&queue, large, SIZE + 1, 0), RTG_EINVAL);
    CHECK_EQUAL(rtg_queue_send(&queue, large, least, rtg_queue_priorities()), RTG_EINVAL);
    CHECK_EQUAL(rtg_queue_receive_until(&queue, in, &size, &priority, 0), RTG_ETIMEOUT);
    CHECK_EQUAL(rtg_queue_create(&none, 0, SIZE), RTG_EINVAL);
}

static void a_limit_ends_the_wait(void)
{
    char out[SIZE] = {'m'}, in[SIZE];
    uint32_t size, priority;
    uint64_t due = rtg_os_now() + 3000000;
    CHECK_EQUAL(rtg_queue_receive_until(&queue, in, &size, &priority, due), RTG_ETIMEOUT);
    CHECK(rtg_os_now() >= due);
    for (unsigned i = 0; i < MESSAGES; i++)
        CHECK_EQUAL(rtg_queue_send_until(&queue, out, least, 0, due), RTG_OK);
    due = rtg_os_now() + 3000000;
    CHECK_EQUAL(rtg_queue_send_until(&queue, out, least, 0, due), RTG_ETIMEOUT);
    CHECK(rtg_os_now() >= due);
    for (unsigned i = 0; i < MESSAGES; i++)
        CHECK_EQUAL(rtg_queue_receive_until(&queue, in, &size, &priority, due), RTG_OK);
}

static void receive_and_mark(void *arg)
{
    char got[SIZE];
    uint32_t size = 0, priority = 0;
    CHECK_EQUAL(rtg_queue_receive(&queue, got, &size, &priority), RTG_OK);
    CHECK_EQUAL(size, least);
    conf_mark_arg(arg);
}

static void send_and_mark(void *arg)
{
    char out[SIZE] = {'m'};
    CHECK_EQUAL(rtg_queue_send(&queue, out, least, 0), RTG_OK);
    conf_mark_arg(arg);
}

/* Waiters arrive from low to high, so that order of arrival cannot pass. */
static void start_waiters(struct rtg_thread *t, rtg_entry entry)
{
    static const unsigned roles[4] = {0, 1, 1, 2};
    static const char names[4][2] = {"a", "b", "c", "d"};
    for (unsigned i = 0; i < 4; i++) {
        conf_start(&t[i], roles[i], entry, (void *)(uintptr_t)names[i]);
        conf_let_others_run();
    }
    CHECK_TEXT(conf_marks(), "");
}

static void an_empty_queue_blocks(void)
{
    struct rtg_thread t[4];
    start_waiters(t, receive_and_mark);
    for (unsigned i = 0; i < 4; i++) {
        CHECK_EQUAL(send('m', 0), RTG_OK);
        conf_let_others_run();
    }
    conf_join(t, 4);
    CHECK_TEXT(conf_marks(), "dbca");
}

static void a_full_queue_blocks(void)
{
    struct rtg_thread t[4];
    for (unsigned i = 0; i < MESSAGES; i++)
        CHECK_EQUAL(send('m', 0), RTG_OK);
    start_waiters(t, send_and_mark);
    for (unsigned i = 0; i < 4; i++) {
        CHECK_EQUAL(receive(), 'm');
        conf_let_others_run();
    }
    conf_join(t, 4);
    CHECK_TEXT(conf_marks(), "dbca");
    for (unsigned i = 0; i < MESSAGES; i++)
        CHECK_EQUAL(receive(), 'm');
}

static void priorities_are_told(void)
{
    CHECK(rtg_queue_priorities() >= 1);
}

static void content(void)
{
    with_queue(messages_come_as_they_were_sent);
}

static void order(void)
{
    with_queue(messages_leave_by_priority);
}

static void refusals(void)
{
    with_queue(what_does_not_fit_is_refused);
}

static void limits(void)
{
    with_queue(a_limit_ends_the_wait);
}

static void receivers(void)
{
    with_queue(an_empty_queue_blocks);
}

static void senders(void)
{
    with_queue(a_full_queue_blocks);
}

const struct conf_check conf_message_checks[] = {
    {"rtg_queue_create rtg_queue_destroy rtg_queue_send rtg_queue_receive", content, CONF_ANYWHERE},
    {"rtg_queue_send rtg_queue_receive", order, CONF_ANYWHERE},
    {"rtg_queue_send rtg_queue_create", refusals, CONF_ANYWHERE},
    {"rtg_queue_send_until rtg_queue_receive_until", limits, CONF_ANYWHERE},
    {"rtg_queue_receive", receivers, CONF_LEVELS},
    {"rtg_queue_send", senders, CONF_LEVELS},
    {"rtg_queue_priorities", priorities_are_told, CONF_ANYWHERE},
    {NULL, NULL, CONF_ANYWHERE},
};
