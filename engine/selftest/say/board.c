/* Where lines go on a board. */
#include "rtgauge/board.h"
#include "check.h"

void check_say(const char *line)
{
    rtg_board_say(line);
}
