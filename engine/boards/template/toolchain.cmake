# The compiler of the board's processor (here: Cortex-M3), without an operating system or a C library. The flags say what
# every file is compiled for; the kernel saves what they let the compiler use, floating-point registers too or not at all.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # no program links before the board is known
set(flags "-mcpu=cortex-m3 -mthumb -ffreestanding -isystem ${CMAKE_CURRENT_LIST_DIR}/../common/libc")
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_ASM_FLAGS_INIT "${flags}")
