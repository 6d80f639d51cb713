/* What the documentation of Linux says of itself. */
#include "os.h"

int os_trait(enum rtg_trait trait, struct rtg_trait_value *value)
{
    static const struct rtg_trait_value known[RTG_TRAITS] = {
        [RTG_TASK_STATES] = {true, false, 7,
                             "running, sleeping, in uninterruptible sleep, stopped, traced, dead, "
                             "idle"},
        [RTG_IRQ_NESTING] = {false, false, 0,
                             "handlers run with interrupts off; handlers in threads are scheduled"},
        [RTG_HANDLER_CONTEXT] = {true, false, 0,
                                 "the first part in interrupt context, the rest in a thread"},
        [RTG_HANDLER_STACK] = {true, false, 0,
                               "a stack for each CPU on most processors; threads have their own"},
        [RTG_HANDLER_CALLS] = {false, false, 0, "none that may sleep, in interrupt context"},
    };
    if (known[trait].how == NULL)
        return RTG_ENOSUP;
    *value = known[trait];
    return RTG_OK;
}
