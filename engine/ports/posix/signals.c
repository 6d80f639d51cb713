/* Queued signals: one real-time signal, blocked everywhere but in the thread that catches
 * it. */
#include "posix.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void (*caught)(uint32_t value);

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    caught((uint32_t)info->si_value.sival_int);
}

int rtg_signal_catch(void (*handler)(uint32_t value))
{
    struct sigaction action;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, POSIX_QUEUED_SIGNAL);
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    action.sa_sigaction = on_signal;
    if (handler == NULL) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        action.sa_flags = 0;
        action.sa_handler = SIG_DFL;
    }
    caught = handler;
    if (sigaction(POSIX_QUEUED_SIGNAL, &action, NULL) != 0)
        return posix_error(errno);
    return handler == NULL ? RTG_OK : posix_error(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
}

int rtg_signal_send(struct rtg_thread *t, uint32_t value)
{
    return os_signal_thread(t->tid, POSIX_QUEUED_SIGNAL, value);
}

int rtg_signal_send_process(struct rtg_process *p, uint32_t value)
{
    union sigval with = {.sival_int = (int)value};
    return sigqueue((pid_t)p->id, POSIX_QUEUED_SIGNAL, with) == 0 ? RTG_OK : posix_error(errno);
}
