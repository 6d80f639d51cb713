/* The kernels of small systems include <stdlib.h> for its types alone. */
#ifndef RTG_BOARD_STDLIB_H
#define RTG_BOARD_STDLIB_H

#include <stddef.h>

#endif
