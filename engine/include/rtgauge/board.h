/*
 * board.h - the contract of a board: what a port of a small real-time system needs of
 * the machine that it runs on, and cannot get from that system.
 *
 * A board is one folder, engine/boards/<board>/: board.cmake, toolchain.cmake, a linker
 * script, the system's part of its configuration (rtg_board_freertos.h) and the sources that
 * define every function below but those under "defined by the port". Much of it is shared
 * and lies in boards/common.
 *
 * Start: the board's start-up code sets up stack, memory and vectors, calls rtg_board_init,
 * then rtg_board_main. Errors are those of port.h. "Any context" means threads and interrupt
 * handlers, with interrupts masked or not, before the scheduler runs or after; everything
 * else is for threads, and for before the scheduler runs, one caller at a time.
 *
 * The board's stamp clock is the first of RTG_BOARD_CLOCKS. It and rtg_board_now read the
 * same counter, or counters that never drift apart.
 */
#ifndef RTGAUGE_BOARD_H
#define RTGAUGE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rtgauge/clock.h"
#include "rtgauge/port.h"

/* ---- defined by the port ----------------------------------------------- */

/* Starts the system and the engine in it. No interrupt comes before it asks for one; it is called
 * on the stack that the board set up. Must not return. */
void rtg_board_main(void);

/* The handler of timer `index` calls this once, in interrupt context, when the interrupt has
 * been acknowledged at the timer. `entry` is the stamp that the handler took first thing. The
 * port does all of the handler's work, and asks its system for a switch itself. It may set
 * the timer anew. */
void rtg_board_timer_fired(uint32_t index, rtg_stamp_t entry);

/* ---- start and end ----------------------------------------------------- */

/* Starts the clocks and prepares the timers; no interrupt comes before one is asked for. */
void rtg_board_init(void);

/* Ends the image with this status for the host. Any context. Never returns. */
_Noreturn void rtg_board_exit(int status);

/* Starts the board again as after power-on: the end of an image that is reached by the serial
 * line. Only a board with such a line has it. */
_Noreturn void rtg_board_reset(void);

/* Ends the image because it can not go on: writes one line, "rtgauge: <what>: <detail>", for
 * people and ends with status RTG_EXIT_FAULT. `detail` may be NULL. Any context; used by the
 * board's handlers of faults and meant for the system's hooks: asserts, stack overflow, no
 * memory. */
_Noreturn void rtg_board_fail(const char *what, const char *detail);
#define RTG_EXIT_FAULT 87

/* ---- what it is -------------------------------------------------------- */

/* The folder's name, e.g. "mps2-an385". Any context. */
const char *rtg_board_name(void);

/* The board's lines for rtg_port_facts: at least "machine", the architecture as others name it
 * (e.g. "armv7m"), and "cpu_model". */
void rtg_board_facts(rtg_fact_fn fact, void *to);

/* ns that each instruction takes where nothing but instructions makes time pass; 0: time is
 * real. Known at build time (RTG_BOARD_NS_PER_INSTRUCTION): the emulator is started with it. */
uint32_t rtg_board_ns_per_instruction(void);

/* RAM that neither the image, the stack of the start-up code nor the system's heap takes, for
 * samples: *bytes receives how much. The same block at every call, aligned to 16. */
void *rtg_board_memory(size_t *bytes);

/* Bytes known when the image is linked; the linker script defines them as absolute symbols
 * of these names too (rtg_size_ram, ...), so that a host can read them from the file. */
struct rtg_board_sizes {
    size_t ram;     /* all RAM that the linker script hands out, */
    size_t code;    /* of it or of a ROM: code and constants, without initial values of data, */
    size_t data;    /* static data without the system's heap, */
    size_t bss;     /* of that what begins as zero, */
    size_t heap;    /* the system's heap, */
    size_t stack;   /* the stack of start-up code and interrupt handlers, */
    size_t samples; /* and what rtg_board_memory gives */
};
void rtg_board_get_sizes(struct rtg_board_sizes *sizes);

/* ---- time -------------------------------------------------------------- */

/* ns since the start: never steps, never stops, counts while nothing runs. Any context. Wraps
 * no sooner than rtg_board_now_limit() ns, some seconds at least: the port ends a run a second
 * before. Where the system's ticks are not all the same whole number of these ns apart,
 * rtg_board_freertos.h says so: RTG_BOARD_TICK_IS_EXACT, RTG_BOARD_TICK_TIMER_HZ. */
uint64_t rtg_board_now(void);
uint64_t rtg_board_now_limit(void);
uint64_t rtg_board_now_step(void); /* ns from one value of it to the next, rounded up; at least 1 */

/* What the board's stamp clock shows at `ns` of rtg_board_now, exactly to its resolution; may lie
 * in the past or the future. Any context. */
rtg_stamp_t rtg_board_stamp_at(uint64_t ns);

/* ---- independent timers ------------------------------------------------ */

/* One-shot timers that no tick of the system uses, in rising order of the level of their
 * interrupts. All of these levels may call the system from their handlers. */
struct rtg_board_timer {
    const char *name;   /* of a source of interrupts: "timer", "timer-2", or where another system on
                         * the board uses the same device, as it is called there: "counter" */
    const char *device; /* what it is, e.g. "CMSDK timer 0" */
    int32_t level;      /* of its interrupt, as the processor or controller numbers it */
    bool nests;         /* its handler can be interrupted by that of a higher timer */
    uint64_t step_ns_num; /* what is due at a multiple of step_ns_num / step_ns_den ns is due */
    uint64_t step_ns_den; /* exactly; anything else at the next such multiple */
    uint64_t longest_ns;  /* from now to a due time, at most */
};
uint32_t rtg_board_timers(void);
const struct rtg_board_timer *rtg_board_timer_at(uint32_t index); /* NULL past the last */

/* One interrupt at due_ns of rtg_board_now, at once when that has passed; replaces one that
 * is not due yet. RTG_EINVAL: no such timer, or beyond longest_ns. Any context up to the
 * level of the timer itself. */
int rtg_board_timer_set(uint32_t index, uint64_t due_ns);

/* After this no interrupt of the timer comes until it is set again. The same contexts. */
void rtg_board_timer_cancel(uint32_t index);

/* What the handlers' stamps mean, one phrase for rtg_irq_source.marks: which instruction
 * reads the entry stamp. */
const char *rtg_board_timer_marks(void);

/* ---- the channel to the host ------------------------------------------- */

/* Reads up to `size` bytes of the request: the number read, 0 at its end, -1 on error.
 * Writes all bytes of the trace, or answers RTG_EFAIL. Both take as long as they take, with
 * no interrupt masked. */
long rtg_board_read(void *to, size_t size);
int rtg_board_write(const void *from, size_t size);

/* True once the host has asked the engine to stop early. Never blocks. */
bool rtg_board_stop_asked(void);

/* Text for people, without a line's end; apart from the trace where the channel can. Any
 * context. */
void rtg_board_say(const char *line);

/* One byte out or in by the board's serial line, polled; get answers -1 when there is none.
 * Where the board has no line, put drops the byte and get answers -1 for ever. */
void rtg_board_serial_put(uint8_t byte);
int rtg_board_serial_get(void);

#endif
