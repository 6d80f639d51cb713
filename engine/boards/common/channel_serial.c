/* The channel by the board's serial line. The end of the image is a reset: the board comes back
 * and waits for the next request. */
#include "link.h"
#include "rtgauge/board.h"

static struct rtg_link *opened(void)
{
    static const struct rtg_link_line line = {rtg_board_serial_put, rtg_board_serial_get,
                                              rtg_board_now, rtg_board_now_limit};
    static struct rtg_link link;
    if (link.line == NULL)
        rtg_link_init(&link, &line, rtg_board_name());
    return &link;
}

long rtg_board_read(void *to, size_t size)
{
    return rtg_link_read(opened(), to, size);
}

int rtg_board_write(const void *from, size_t size)
{
    return rtg_link_write(opened(), from, size);
}

bool rtg_board_stop_asked(void)
{
    return rtg_link_stop_asked(opened());
}

void rtg_board_say(const char *line)
{
    rtg_link_say(opened(), line);
}

void rtg_board_exit(int status)
{
    rtg_link_end(opened(), status);
    rtg_board_reset();
}
