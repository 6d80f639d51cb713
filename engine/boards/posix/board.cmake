# FreeRTOS's simulator of itself: a program of this machine, in which tasks are POSIX threads and the tick is a signal.
# For trying what works; its times say nothing of FreeRTOS on a processor of its own. The request is read from the
# standard input, the trace goes to the standard output, lines for people to the standard error.
set(here ${CMAKE_CURRENT_LIST_DIR})
find_package(Threads REQUIRED)
set(RTG_BOARD_SOURCES ${here}/board.c)
set(RTG_BOARD_CLOCKS posix_clock:${here})
set(RTG_BOARD_OPTIONS -I${here} -DRTG_BOARD_NAME="posix" -D_DEFAULT_SOURCE)
set(RTG_BOARD_LINK "")
set(RTG_BOARD_LIBRARIES Threads::Threads)
set(RTG_BOARD_FLOAT ON)
set(RTG_BOARD_FREERTOS ThirdParty/GCC/Posix)
set(RTG_BOARD_FREERTOS_FILES port.c utils/wait_for_event.c)
set(RTG_BOARD_FREERTOS_OPTIONS -D_GNU_SOURCE)
