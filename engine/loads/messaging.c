/* Many threads that send each other messages: each pair has a ring, whose sender waits
 * while it is full and whose receiver waits while it is empty. */
#include <string.h>

#include "rtgauge/load.h"

enum { PAIRS = 10, RING = 16, MESSAGE = 100, LOOK_NS = 20000000 };

struct pair {
    struct rtg_load_worker *worker;
    struct rtg_sem room, ready;
    struct rtg_thread sender, receiver;
    uint8_t ring[RING][MESSAGE];
    uint32_t sent, received;
};

static void send_messages(void *arg)
{
    struct pair *pair = arg;
    uint8_t message[MESSAGE] = {0};
    while (rtg_sem_acquire(&pair->room) == RTG_OK && rtg_load_goes_on(pair->worker)) {
        message[0] = (uint8_t)pair->sent;
        memcpy(pair->ring[pair->sent++ % RING], message, MESSAGE);
        rtg_sem_release(&pair->ready);
    }
}

static void receive_messages(void *arg)
{
    struct pair *pair = arg;
    uint8_t message[MESSAGE];
    while (rtg_sem_acquire(&pair->ready) == RTG_OK && rtg_load_goes_on(pair->worker)) {
        memcpy(message, pair->ring[pair->received % RING], MESSAGE);
        if (message[0] != (uint8_t)pair->received++)
            rtg_load_failed(pair->worker, RTG_EFAIL, "comparing a message with what was sent");
        rtg_sem_release(&pair->room);
        rtg_load_did(pair->worker, 1);
    }
}

static int begin(struct pair *pair, struct rtg_load_worker *worker)
{
    struct rtg_thread_spec spec = {
        .entry = receive_messages, .arg = pair, .policy = RTG_NORMAL, .cpu = rtg_load_cpu(worker)};
    pair->worker = worker;
    pair->sent = pair->received = 0;
    int error = rtg_sem_create(&pair->room, RTG_COUNTING, RTG_UNNAMED, RING);
    if (error == RTG_OK)
        error = rtg_sem_create(&pair->ready, RTG_COUNTING, RTG_UNNAMED, 0);
    if (error == RTG_OK)
        error = rtg_thread_create(&pair->receiver, &spec);
    spec.entry = send_messages;
    return error == RTG_OK ? rtg_thread_create(&pair->sender, &spec) : error;
}

/* The load is over: each of the two is woken once more, and sees it. */
static void end(struct pair *pair)
{
    rtg_sem_release(&pair->room);
    rtg_sem_release(&pair->ready);
    rtg_thread_join(&pair->sender);
    rtg_thread_join(&pair->receiver);
}

static void run(struct rtg_load_worker *worker)
{
    size_t wanted = PAIRS * sizeof(struct pair), bytes = wanted;
    struct pair *pairs = rtg_scratch_get(&bytes);
    uint32_t begun = 0;
    int error = pairs == NULL || bytes < wanted ? RTG_EFULL : RTG_OK;
    while (error == RTG_OK && begun < PAIRS) {
        error = begin(&pairs[begun], worker);
        begun += error == RTG_OK;
    }
    if (error != RTG_OK) {
        rtg_load_failed(worker, error, "creating its threads");
        return;
    }
    rtg_load_begins(worker, 0);
    while (rtg_load_goes_on(worker))
        rtg_sleep_for(LOOK_NS);
    for (uint32_t i = 0; i < begun; i++)
        end(&pairs[i]);
    rtg_scratch_put(pairs, bytes);
}

RTG_LOAD(.what = "20 threads in pairs, one sending messages of 100 bytes to the other",
         .degree = "continuous, on each CPU that loads may use", .unit = "messages",
         .where = RTG_LOAD_EVERY_CPU, .run = run);
