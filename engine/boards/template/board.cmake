# The template: what a board must name. docs/adding-a-board.md says what to fill in, in which order.
#
#   RTG_BOARD_SOURCES        its files; common/board.cmake has set those of all boards
#   RTG_BOARD_EMULATED_NS    ns of an instruction in the emulator that it is for; 0: time is real
#   RTG_BOARD_CLOCKS         its stamp clocks, best first: <name>:<folder of <name>.h and <name>.c>
#   RTG_BOARD_OPTIONS        for the compiler, beside toolchain.cmake's
#   RTG_BOARD_LINK           for the linker; RTG_BOARD_LIBRARIES what comes last
#   RTG_BOARD_FLOAT          whether every thread may calculate with floating-point numbers
#   RTG_BOARD_FREERTOS       the kernel's folder for the processor, below portable/, and the files to compile in it;
#                            RTG_BOARD_FREERTOS_INCLUDES further folders of headers, below portable/ too
set(here ${CMAKE_CURRENT_LIST_DIR})
set(RTG_BOARD_EMULATED_NS 0)
include(${here}/../common/board.cmake)
list(APPEND RTG_BOARD_SOURCES ${here}/vectors.S ${here}/start.c ${here}/board.c ${here}/timers.c)
set(RTG_BOARD_CLOCKS template_clock:${here})
list(APPEND RTG_BOARD_OPTIONS -I${here} -DRTG_BOARD_NAME="template")
set(RTG_BOARD_LINK -nostdlib -T ${here}/link.ld -Wl,--build-id=none)
set(RTG_BOARD_LIBRARIES gcc)
set(RTG_BOARD_FLOAT ON)
set(RTG_BOARD_FREERTOS GCC/ARM_CM3)
set(RTG_BOARD_FREERTOS_FILES port.c)
