#include "check.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Checks are made in several threads. */
static atomic_uint passed, failed, skipped;

void check_that(bool holds, const char *what, const char *file, int line)
{
    if (holds) {
        passed++;
        return;
    }
    failed++;
    printf("%s:%d: failed: %s\n", file, line, what);
}

void check_equal(int64_t got, int64_t wanted, const char *what, const char *file, int line)
{
    check_that(got == wanted, what, file, line);
    if (got != wanted)
        printf("    got %" PRId64 ", wanted %" PRId64 "\n", got, wanted);
}

void check_text(const char *got, const char *wanted, const char *what, const char *file, int line)
{
    bool same = got && strcmp(got, wanted) == 0;
    check_that(same, what, file, line);
    if (!same)
        printf("    got \"%s\", wanted \"%s\"\n", got ? got : "(none)", wanted);
}

void check_skipped(const char *what, const char *why)
{
    skipped++;
    printf("skipped: %s: %s\n", what, why);
}

int check_end(void)
{
    printf("%u passed, %u failed", passed, failed);
    if (skipped)
        printf(", %u skipped", skipped);
    printf("\n");
    fflush(stdout);
    return failed == 0 && passed > 0 ? 0 : 1;
}
