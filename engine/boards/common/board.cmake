# What all boards share; included by their board.cmake.
#
#   RTG_BOARD_CHANNEL  semihosting (default): files of the emulator or debugger; serial: the board's serial line
#   RTG_BOARD_NS_PER_INSTRUCTION  as the emulator is started (-icount); 0: time is real
#
# RTG_BOARD_EMULATED_NS, of board.cmake: ns of an instruction where the emulator is started as that file says. A serial
# line is that of a real board, or of an emulator started in any way: time is real there unless the builder says more.
set(common ${CMAKE_CURRENT_LIST_DIR})
if(NOT DEFINED RTG_BOARD_CHANNEL)
  set(RTG_BOARD_CHANNEL semihosting)
endif()
if(NOT DEFINED RTG_BOARD_NS_PER_INSTRUCTION)
  set(RTG_BOARD_NS_PER_INSTRUCTION ${RTG_BOARD_EMULATED_NS})
  if(RTG_BOARD_CHANNEL STREQUAL "serial")
    set(RTG_BOARD_NS_PER_INSTRUCTION 0)
  endif()
endif()
set(RTG_BOARD_SOURCES ${common}/channel_${RTG_BOARD_CHANNEL}.c ${common}/memory.c ${common}/fail.c ${common}/sizes.c
    ${common}/freertos_heap.c)
set(RTG_BOARD_OPTIONS -I${common} -DRTG_BOARD_NS_PER_INSTRUCTION=${RTG_BOARD_NS_PER_INSTRUCTION})
if(RTG_BOARD_CHANNEL STREQUAL "serial")
  list(APPEND RTG_BOARD_SOURCES ${common}/link.c)
endif()
