# What all boards share; included by their board.cmake, with RTG_BOARD_NS_PER_INSTRUCTION set.
#
#   RTG_BOARD_CHANNEL  semihosting (default): files of the emulator or debugger; serial: the board's serial line
set(common ${CMAKE_CURRENT_LIST_DIR})
if(NOT DEFINED RTG_BOARD_CHANNEL)
  set(RTG_BOARD_CHANNEL semihosting)
endif()
set(RTG_BOARD_SOURCES ${common}/channel_${RTG_BOARD_CHANNEL}.c ${common}/memory.c ${common}/fail.c ${common}/sizes.c
    ${common}/freertos_heap.c)
set(RTG_BOARD_OPTIONS -I${common} -DRTG_BOARD_NS_PER_INSTRUCTION=${RTG_BOARD_NS_PER_INSTRUCTION})
if(RTG_BOARD_CHANNEL STREQUAL "serial")
  list(APPEND RTG_BOARD_SOURCES ${common}/link.c)
endif()
