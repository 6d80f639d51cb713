/* Workers of loads, as the core sees them. */
#ifndef RTG_CORE_LOAD_H
#define RTG_CORE_LOAD_H

#include <stdatomic.h>

#include "rtgauge/load.h"

enum rtg_load_state { RTG_LOAD_PREPARES, RTG_LOAD_RUNS, RTG_LOAD_ENDED };

/* In shared memory. */
struct rtg_load_worker {
    atomic_bool end;                 /* it is to end */
    atomic_uint state;               /* enum rtg_load_state */
    atomic_ullong done;              /* units so far */
    atomic_int error;                /* enum rtg_error that ended it */
    _Atomic(const char *) failed_at; /* static text: what met the error */
    uint64_t until_ns;               /* it ends by itself then */
    uint64_t turn;                   /* units that come at once */
    const struct rtg_load *load;
    int32_t cpu; /* -1: any */
    bool is_process;
    struct rtg_process process;
    struct rtg_thread thread;
    uint64_t done_before; /* of the test under way; the core's own */
};

#endif
