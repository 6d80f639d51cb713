/*
 * check.h - the plain harness of the engine's unit tests.
 *
 * A program calls its test functions, each of which makes checks, and ends with
 * `return check_end();`. A check that fails prints its place and goes on.
 */
#ifndef RTGAUGE_CHECK_H
#define RTGAUGE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)

/* Two numbers (up to 64 bits) or two texts that must be equal; a failure prints both. */
#define CHECK_EQUAL(got, wanted)                                                                   \
    check_equal((int64_t)(got), (int64_t)(wanted), #got, __FILE__, __LINE__)
#define CHECK_TEXT(got, wanted) check_text((got), (wanted), #got, __FILE__, __LINE__)

void check_that(bool holds, const char *what, const char *file, int line);
void check_equal(int64_t got, int64_t wanted, const char *what, const char *file, int line);
void check_text(const char *got, const char *wanted, const char *what, const char *file, int line);

/* Names what was not checked, and why. */
void check_skipped(const char *what, const char *why);

/* Writes one line for people; what that is done by is the program's (say/). */
void check_say(const char *line);

/* Prints "N passed, N failed"; 0 when none failed and one was made at least, else 1. */
int check_end(void);

#endif
