# Arm's MPS2 with the AN385 image (Cortex-M3), or QEMU's model of it:
#
#   qemu-system-arm -M mps2-an385 -display none -serial none -monitor none -nodefaults -no-user-config
#     -semihosting-config enable=on,target=native -icount shift=7,sleep=off -rtc base=2020-01-01,clock=vm -seed 1
#     -kernel IMAGE
#
# An instruction takes 128 ns there, of a board whose processor runs with 25 MHz.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(RTG_BOARD_EMULATED_NS 128)
include(${here}/../common/board.cmake)
list(APPEND RTG_BOARD_SOURCES ${here}/vectors.S ${here}/start.c ${here}/board.c ${here}/timers.c)
set(RTG_BOARD_CLOCKS cmsdk_dual:${here})
list(APPEND RTG_BOARD_OPTIONS -I${here} -DRTG_BOARD_NAME="mps2-an385")
set(RTG_BOARD_LINK -nostdlib -T ${here}/link.ld -Wl,--build-id=none)
set(RTG_BOARD_LIBRARIES gcc)
set(RTG_BOARD_FLOAT ON) # by the compiler's library
set(RTG_BOARD_FREERTOS GCC/ARM_CM3)
set(RTG_BOARD_FREERTOS_FILES port.c)
