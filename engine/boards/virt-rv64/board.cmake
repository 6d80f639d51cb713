# QEMU's machine `virt` with one 64-bit RISC-V hart, which must be started with -icount: its cycles are then ns.
#
#   qemu-system-riscv64 -M virt -smp 1 -bios none -display none -serial none -monitor none -nodefaults -no-user-config
#     -semihosting-config enable=on,target=native -icount shift=4,sleep=off
#     -rtc base=2020-01-01,clock=vm -seed 1 -kernel IMAGE
#
# At least 128 MB.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(RTG_BOARD_EMULATED_NS 16)
include(${here}/../common/board.cmake)
list(APPEND RTG_BOARD_SOURCES ${here}/start.S ${here}/board.c ${here}/timers.c ${here}/atomics.c)
set(RTG_BOARD_CLOCKS riscv_mcycle:${here}/../../clocks)
list(APPEND RTG_BOARD_OPTIONS -I${here} -DRTG_BOARD_NAME="virt-rv64")
set(RTG_BOARD_LINK -nostdlib -static -T ${here}/link.ld -Wl,--build-id=none -Wl,-z,max-page-size=4096)
set(RTG_BOARD_LIBRARIES gcc)
set(RTG_BOARD_FLOAT ON) # by the compiler's library
set(RTG_BOARD_FREERTOS GCC/RISC-V)
set(RTG_BOARD_FREERTOS_FILES port.c portASM.S)
# The folder in the kernel's own that says what this processor has beyond the standard.
set(RTG_BOARD_FREERTOS_INCLUDES GCC/RISC-V/chip_specific_extensions/RISCV_MTIME_CLINT_no_extensions)
