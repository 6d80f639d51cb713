# RV64 in machine mode without an operating system or a C library. The kernel saves no floating-point registers.
# By version 2.2 of the specification the instructions for control registers belong to the base, which names a library that is there.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # no program links before the board is known
set(flags "-march=rv64imac -mabi=lp64 -misa-spec=2.2 -mcmodel=medany -ffreestanding -fno-pic -fno-asynchronous-unwind-tables \
-isystem ${CMAKE_CURRENT_LIST_DIR}/../common/libc")
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_ASM_FLAGS_INIT "${flags}")
