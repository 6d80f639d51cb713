/* texts.h - texts that tests put together for their evidence. Each function returns where the
 * next one goes on; the room is the caller's concern. */
#ifndef RTGAUGE_TESTS_TEXTS_H
#define RTGAUGE_TESTS_TEXTS_H

#include <stdint.h>

static inline char *put_text(char *at, const char *text)
{
    while (*text != 0)
        *at++ = *text++;
    *at = 0;
    return at;
}

static inline char *put_number(char *at, const char *name, uint64_t number)
{
    char digits[24];
    int used = 0;
    at = put_text(at, name);
    do
        digits[used++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (used != 0)
        *at++ = digits[--used];
    *at = 0;
    return at;
}

#endif
