/*
 * clock.h - the contract of a stamp clock: the finest monotonic counter that a
 * thread can read inline.
 *
 * One clock is two files in engine/clocks/ (a processor's counter) or in a port
 * (an operating system's clock):
 *
 *   <name>.h  defines two static inline functions, used in the timed path:
 *               rtg_stamp_t rtg_stamp_start(void);   before the operation
 *               rtg_stamp_t rtg_stamp_stop(void);    after the operation
 *             Both return raw counter ticks. `start` keeps the operation from
 *             beginning before the counter is read, `stop` keeps the counter
 *             from being read before the operation has ended.
 *   <name>.c  defines one `const struct rtg_clock rtg_clock_<name>`.
 *
 * Every test is compiled once for each clock of its port, so that the choice
 * made at start costs nothing in the timed path.
 */
#ifndef RTGAUGE_CLOCK_H
#define RTGAUGE_CLOCK_H

#include <stdint.h>

#include "rtg_port_types.h" /* RTG_STAMP_BITS: 32 or 64 */

#if RTG_STAMP_BITS == 64
typedef uint64_t rtg_stamp_t;
#elif RTG_STAMP_BITS == 32
typedef uint32_t rtg_stamp_t;
#else
#error "rtg_port_types.h must define RTG_STAMP_BITS as 32 or 64"
#endif

struct rtg_clock {
    const char *name;  /* as shown to the user, e.g. "x86-tsc" */
    uint8_t width;     /* bits after which the counter wraps: 1 to RTG_STAMP_BITS */
    int8_t direction;  /* +1 counts up, -1 counts down */
    uint64_t rate_num; /* ticks per second = rate_num / rate_den; rate_num 0: unknown, */
    uint64_t rate_den; /* the engine measures it against the port's sleep clock */
    /* Why this clock must not be used on this machine, one line; NULL when it may
     * be used. On success *why_good receives the ground for trusting it. */
    const char *(*unusable)(const char **why_good);
    rtg_stamp_t (*read)(void); /* the same counter, for code outside the timed path */
};

/* The clocks of this build, best first, ended by NULL. Generated. */
extern const struct rtg_clock *const rtg_clocks[];

#endif
