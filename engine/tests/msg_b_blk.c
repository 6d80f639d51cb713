/* MSG-B-BLK: who waits at a message queue and for how long, who is let go first, in which
 * order messages leave, and what is refused. */
#include <stdatomic.h>

#include "common/queue_waiters.h"

enum { LIMIT_NS = 20000000 };

/* ---- blocking -------------------------------------------------------------- */

/* How many messages a thread above the driver moves before it stops: it waits, or has
 * moved all that it wanted. -1: the scene could not be set. */
static int64_t moved_before_stop(struct rtg_run *run, bool sends, uint32_t held, uint32_t wanted,
                                 bool *whole)
{
    static struct scene s; /* larger than a small stack bears */
    int64_t moved = -1;
    *whole = false;
    if (!scene_begin(run, &s, sends, held))
        return -1;
    if (mover_start(&s, rtg_role_level(RTG_HI), wanted)) {
        moved = atomic_load(&s.mover[0].moved);
        for (uint32_t i = (uint32_t)moved; i < wanted; i++)
            (void)scene_relieve(&s);
        *whole = scene_join(&s);
    }
    scene_end(&s);
    return moved;
}

static void check_blocking(struct rtg_run *run)
{
    bool all_sent, all_got, whole;
    int64_t into_full = moved_before_stop(run, true, 0, MESSAGES + 1, &all_sent);
    int64_t into_room = moved_before_stop(run, true, 0, MESSAGES, &whole);
    int64_t from_empty = moved_before_stop(run, false, MESSAGES, MESSAGES + 1, &all_got);
    int64_t from_held = moved_before_stop(run, false, MESSAGES, MESSAGES, &whole);
    if (into_full < 0 || into_room < 0 || from_empty < 0 || from_held < 0) {
        rtg_broken(run, "the scene of a blocking call could not be set");
        return;
    }
    rtg_check(run, RTG_PROPERTY, "full-blocks", into_full == MESSAGES,
              "a sender fills the queue without blocking and blocks when it is full");
    rtg_check(run, RTG_PROPERTY, "full-goes-on", all_sent,
              "a sender that waits goes on when a message is taken, and none is lost");
    rtg_check(run, RTG_CONTROL, "blocks-with-room", into_room != MESSAGES,
              "a sender blocks although the queue has room for all its messages");
    rtg_check(run, RTG_PROPERTY, "empty-blocks", from_empty == MESSAGES,
              "a receiver empties the queue without blocking and blocks when it is empty");
    rtg_check(run, RTG_PROPERTY, "empty-goes-on", all_got,
              "a receiver that waits goes on when a message is sent, and gets that");
    rtg_check(run, RTG_CONTROL, "blocks-with-messages", from_held != MESSAGES,
              "a receiver blocks although the queue holds enough messages");
}

/* ---- limits ---------------------------------------------------------------- */

static int move_until(struct scene *s, uint64_t due)
{
    struct packet packet;
    return s->sends ? packet_send(s, 0, 0, due) : packet_receive(s, &packet, due);
}

struct limit_names {
    const char *times_out, *not_early, *in_vain, *past, *late;
};

/* On a queue on which the call must wait, and one on which it need not. */
static void check_limit(struct rtg_run *run, bool sends, const struct limit_names *names)
{
    static struct scene s;
    if (!scene_begin(run, &s, sends, sends ? MESSAGES : 0))
        return;
    uint64_t due = rtg_os_now() + LIMIT_NS;
    int blocked = move_until(&s, due);
    uint64_t end = rtg_os_now();
    int at_once = move_until(&s, due);
    (void)scene_relieve(&s);
    int possible = move_until(&s, rtg_os_now() + LIMIT_NS);
    (void)scene_relieve(&s);
    int past = move_until(&s, due);
    scene_end(&s);
    rtg_check(run, RTG_PROPERTY, names->times_out,
              blocked == RTG_ETIMEOUT && at_once == RTG_ETIMEOUT,
              "a call that has to wait ends with a time-out, at once when it is due already");
    rtg_check(run, RTG_PROPERTY, names->not_early, blocked != RTG_ETIMEOUT || end >= due,
              "the time-out does not come before it is due");
    rtg_check(run, RTG_CONTROL, names->in_vain, possible == RTG_ETIMEOUT,
              "a call that need not wait ends with a time-out as well");
    rtg_check(run, RTG_REPORT, names->past, past == RTG_OK,
              "a call that need not wait succeeds although its limit is past");
    if (blocked == RTG_ETIMEOUT && end >= due)
        rtg_evidence(run, names->late, (int64_t)(end - due), "ns");
}

static void check_limits(struct rtg_run *run)
{
    static const struct limit_names send = {"send-times-out", "send-not-early", "send-out-in-vain",
                                            "send-past-limit", "send_late"};
    static const struct limit_names receive = {"receive-times-out", "receive-not-early",
                                               "receive-out-in-vain", "receive-past-limit",
                                               "receive_late"};
    check_limit(run, true, &send);
    check_limit(run, false, &receive);
}

/* ---- who is let go first --------------------------------------------------- */

struct order_names {
    const char *rising, *first_come, *equal, *last_come;
};

static void check_order(struct rtg_run *run, bool sends, const struct order_names *names)
{
    static struct scene s;
    if (scene_of_waiters(run, &s, sends, true)) {
        rtg_check(run, RTG_PROPERTY, names->rising, let_go_by(&s, BY_LEVEL),
                  "threads that wait from low to high are let go from high to low");
        rtg_check(run, RTG_REPORT, names->first_come, let_go_by(&s, BY_ARRIVAL),
                  "threads that wait from low to high are let go in the order of arrival");
    }
    if (scene_of_waiters(run, &s, sends, false)) {
        rtg_check(run, RTG_PROPERTY, names->equal, let_go_by(&s, BY_ARRIVAL),
                  "threads of equal level are let go in the order of arrival");
        rtg_check(run, RTG_CONTROL, names->last_come, let_go_by(&s, AGAINST_ARRIVAL),
                  "threads of equal level are let go in the reverse order of arrival");
    }
}

static void check_orders(struct rtg_run *run)
{
    static const struct order_names senders = {"sender-priority", "sender-first-come",
                                               "sender-equal-first-come", "sender-equal-last-come"};
    static const struct order_names receivers = {"receiver-priority", "receiver-first-come",
                                                 "receiver-equal-first-come",
                                                 "receiver-equal-last-come"};
    check_order(run, true, &senders);
    check_order(run, false, &receivers);
}

/* ---- priorities of messages ------------------------------------------------ */

/* Whether six messages leave in the order 2 4 0 5 1 3, sent with the priorities that ask
 * for it, or all with the same. */
static bool leaves_by_priority(struct rtg_run *run, bool equal, bool *in_turn)
{
    static struct scene s;
    static const uint32_t priority[MESSAGES] = {1, 0, 2, 0, 2, 1};
    static const uint32_t wanted[MESSAGES] = {2, 4, 0, 5, 1, 3};
    bool right = scene_begin(run, &s, false, 0);
    *in_turn = right;
    if (!right)
        return false;
    for (uint32_t i = 0; i < MESSAGES; i++)
        right = packet_send(&s, i, equal ? 0 : priority[i], soon()) == RTG_OK && right;
    for (uint32_t i = 0; i < MESSAGES; i++) {
        struct packet got = {0};
        bool came = packet_receive(&s, &got, soon()) == RTG_OK;
        *in_turn = *in_turn && came && got.number == i;
        right = right && came && got.number == wanted[i] &&
                got.priority == (equal ? 0 : priority[wanted[i]]);
    }
    scene_end(&s);
    return right;
}

static void check_messages(struct rtg_run *run)
{
    bool mixed_in_turn, equal_in_turn;
    if (rtg_queue_priorities() < 3) {
        rtg_unchecked(run, "message-priority", "messages have fewer than three priorities here");
        return;
    }
    bool mixed = leaves_by_priority(run, false, &mixed_in_turn);
    bool equal = leaves_by_priority(run, true, &equal_in_turn);
    rtg_check(run, RTG_PROPERTY, "message-priority", mixed,
              "messages leave by their priority, equals in the order in which they came, and "
              "tell it");
    rtg_check(run, RTG_CONTROL, "message-priority-equal", equal,
              "messages of one priority leave in that same order");
    rtg_check(run, RTG_PROPERTY, "message-equal-first-come", equal_in_turn,
              "messages of one priority leave in the order in which they came");
    rtg_check(run, RTG_REPORT, "message-mixed-first-come", mixed_in_turn,
              "messages of different priorities leave in the order in which they came");
}

/* ---- refusals -------------------------------------------------------------- */

static void check_refusals(struct rtg_run *run)
{
    static struct scene s;
    struct packet nothing;
    uint8_t large[sizeof(struct packet) + 1] = {0};
    uint32_t priorities = rtg_queue_priorities();
    if (!scene_begin(run, &s, true, 0))
        return;
    int larger = rtg_queue_send_until(&s.queue, large, sizeof large, 0, soon());
    int wrong = packet_send(&s, 0, priorities, soon());
    bool empty = packet_receive(&s, &nothing, rtg_os_now()) == RTG_ETIMEOUT;
    int fits = rtg_queue_send_until(&s.queue, large, sizeof large - 1, 0, soon());
    int last = packet_send(&s, 0, priorities - 1, soon());
    scene_end(&s);
    rtg_evidence(run, "message_priorities", priorities, "");
    rtg_check(run, RTG_PROPERTY, "too-large-refused", larger == RTG_EINVAL,
              "a message larger than the queue takes is refused with the error for that");
    rtg_check(run, RTG_CONTROL, "largest-refused", fits != RTG_OK,
              "a message of exactly the size that the queue takes is refused");
    rtg_check(run, RTG_PROPERTY, "wrong-priority-refused", wrong == RTG_EINVAL,
              "a priority that does not exist is refused with the error for that");
    rtg_check(run, RTG_CONTROL, "last-priority-refused", last != RTG_OK,
              "the highest priority that exists is refused");
    rtg_check(run, RTG_PROPERTY, "refused-leaves-nothing", empty,
              "a message that was refused is not in the queue");
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_queue queue;
    int error = rtg_queue_create(&queue, MESSAGES, sizeof(struct packet));
    if (error != RTG_OK)
        return rtg_error(run, error, "creating a message queue");
    rtg_queue_destroy(&queue);
    if (!roles_apart())
        return rtg_reason(run, RTG_NOT_SUPPORTED, ROLES_TOO_FEW);
    rtg_self_level(run, rtg_role_level(RTG_LO));
    check_blocking(run);
    check_limits(run);
    check_orders(run);
    check_messages(run);
    check_refusals(run);
    return RTG_DONE;
}

RTG_TEST(.id = "MSG-B-BLK", .title = "Message queue behaviour",
         .question = "Do message queues block, time out, order and refuse as they should?",
         .needs = RTG_NEEDS_REALTIME, .about_ms = 120, .run = run_test);
