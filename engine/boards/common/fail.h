/* For the boards' handlers of faults. */
#ifndef RTG_BOARD_FAIL_H
#define RTG_BOARD_FAIL_H

#include <stddef.h>
#include <stdint.h>

/* Puts `name` and all hexadecimal digits of `value` behind the `length` characters of `text`,
 * which has room for both and a final 0. Returns the new length. */
size_t rtg_append_hex(char *text, size_t length, const char *name, uintptr_t value);

#endif
