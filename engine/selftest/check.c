#include "check.h"

#include <stdatomic.h>
#include <string.h>

enum { LINE = 400 };

/* Checks are made in several threads. */
static atomic_uint passed, failed, skipped;

static void add(char *line, const char *text)
{
    size_t used = strlen(line), more = strlen(text);
    more = more < LINE - 1 - used ? more : LINE - 1 - used;
    memcpy(line + used, text, more);
    line[used + more] = 0;
}

static void add_number(char *line, int64_t number)
{
    char digits[22];
    size_t at = sizeof digits - 1;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + left % 10);
    while ((left /= 10) != 0);
    if (number < 0)
        digits[--at] = '-';
    add(line, digits + at);
}

void check_that(bool holds, const char *what, const char *file, int line)
{
    char text[LINE] = "";
    if (holds) {
        passed++;
        return;
    }
    failed++;
    add(text, file);
    add(text, ":");
    add_number(text, line);
    add(text, ": failed: ");
    add(text, what);
    check_say(text);
}

void check_equal(int64_t got, int64_t wanted, const char *what, const char *file, int line)
{
    char text[LINE] = "    got ";
    check_that(got == wanted, what, file, line);
    if (got == wanted)
        return;
    add_number(text, got);
    add(text, ", wanted ");
    add_number(text, wanted);
    check_say(text);
}

void check_text(const char *got, const char *wanted, const char *what, const char *file, int line)
{
    char text[LINE] = "    got \"";
    bool same = got && strcmp(got, wanted) == 0;
    check_that(same, what, file, line);
    if (same)
        return;
    add(text, got ? got : "(none)");
    add(text, "\", wanted \"");
    add(text, wanted);
    add(text, "\"");
    check_say(text);
}

void check_skipped(const char *what, const char *why)
{
    char text[LINE] = "skipped: ";
    skipped++;
    add(text, what);
    add(text, ": ");
    add(text, why);
    check_say(text);
}

int check_end(void)
{
    char text[LINE] = "";
    add_number(text, passed);
    add(text, " passed, ");
    add_number(text, failed);
    add(text, " failed");
    if (skipped) {
        add(text, ", ");
        add_number(text, skipped);
        add(text, " skipped");
    }
    check_say(text);
    return failed == 0 && passed > 0 ? 0 : 1;
}
