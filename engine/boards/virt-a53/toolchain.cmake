# AArch64 without an operating system or a C library, by the compiler for Linux: there is no other in common packages.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_ASM_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # no program links before the board is known
# Memory is accessed without translation, so every access must be aligned.
set(flags "-mcpu=cortex-a53 -mstrict-align -mno-outline-atomics -ffreestanding -fno-pic -fno-pie \
-fno-stack-protector -fno-asynchronous-unwind-tables -isystem ${CMAKE_CURRENT_LIST_DIR}/../common/libc")
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_ASM_FLAGS_INIT "${flags}")
