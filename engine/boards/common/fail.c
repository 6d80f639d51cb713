/* How an image ends that can not go on. */
#include <string.h>

#include "fail.h"
#include "rtgauge/board.h"

enum { LINE = 160 };

static size_t append(char *line, size_t length, const char *text)
{
    while (*text != 0 && length < LINE - 1)
        line[length++] = *text++;
    line[length] = 0;
    return length;
}

void rtg_board_fail(const char *what, const char *detail)
{
    static bool failing; /* a fault while saying so: once is enough */
    char line[LINE];
    if (!failing) {
        failing = true;
        size_t length = append(line, append(line, 0, "rtgauge: "), what);
        if (detail != NULL)
            append(line, append(line, length, ": "), detail);
        rtg_board_say(line);
    }
    rtg_board_exit(RTG_EXIT_FAULT);
}

size_t rtg_append_hex(char *text, size_t length, const char *name, uintptr_t value)
{
    memcpy(text + length, name, strlen(name));
    length += strlen(name);
    for (int shift = (int)sizeof(value) * 8 - 4; shift >= 0; shift -= 4)
        text[length++] = "0123456789abcdef"[value >> shift & 15];
    text[length] = 0;
    return length;
}
