# QEMU's machine `virt` with a Cortex-A53:
#
#   qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a53 -smp 1 -display none -serial none -monitor none -nodefaults
#     -no-user-config -semihosting-config enable=on,target=native -icount shift=4,sleep=off
#     -rtc base=2020-01-01,clock=vm -seed 1 -kernel IMAGE
#
# At least 128 MB. Any rate of the generic timer (-cpu cortex-a53,cntfrq=N). With virtualization=on the image starts at
# EL2, and has a second independent timer: that of EL2. RTG_BOARD_GIC=2 builds for gic-version=2.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(RTG_BOARD_EMULATED_NS 16)
if(NOT DEFINED RTG_BOARD_GIC)
  set(RTG_BOARD_GIC 3)
endif()
include(${here}/../common/board.cmake)
list(APPEND RTG_BOARD_SOURCES ${here}/start.S ${here}/faults.c ${here}/board.c ${here}/timers.c ${here}/gic.c)
set(RTG_BOARD_CLOCKS arm64_cntvct:${here}/../../clocks)
list(APPEND RTG_BOARD_OPTIONS -I${here} -DRTG_BOARD_NAME="virt-a53" -DRTG_BOARD_GIC=${RTG_BOARD_GIC}
     -DGUEST) # the kernel runs at EL1
if(RTG_BOARD_FAULT_CHECK) # costs seven instructions in every yield: the kernel's own handler stops without a word
  list(APPEND RTG_BOARD_OPTIONS -DRTG_BOARD_FAULT_CHECK)
endif()
set(RTG_BOARD_LINK -nostdlib -static -T ${here}/link.ld -Wl,--build-id=none -Wl,-z,max-page-size=4096)
set(RTG_BOARD_LIBRARIES gcc)
# The kernel saves floating-point registers of the threads that ask for it, or of all (a GICv3's part of it only): then
# each switch and each interrupt takes longer.
if(RTG_BOARD_GIC EQUAL 3 AND "configUSE_TASK_FPU_SUPPORT=2" IN_LIST RTG_FREERTOS_CONFIG)
  set(RTG_BOARD_FLOAT ON)
else()
  set(RTG_BOARD_FLOAT OFF)
  list(APPEND RTG_BOARD_OPTIONS -mgeneral-regs-only)
endif()
if(RTG_BOARD_GIC EQUAL 3)
  set(RTG_BOARD_FREERTOS GCC/ARM_AARCH64_SRE)
else()
  set(RTG_BOARD_FREERTOS GCC/ARM_AARCH64)
endif()
set(RTG_BOARD_FREERTOS_FILES port.c portASM.S)
