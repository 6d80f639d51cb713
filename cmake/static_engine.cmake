# The static engine, which runs on any Linux of its processor: the same sources by another compiler, so in a build of
# its own; and beside it the first process of a guest of the virtual lab. For this processor by musl-gcc; for others
# that the lab emulates by a compiler for them, where there is one. Left out, with a message, where there is none.
include(ExternalProject)
find_program(MUSL_GCC musl-gcc)
find_program(AARCH64_GCC aarch64-linux-gnu-gcc)

# static_engine(name folder [cmake arguments]): builds, and installs into the folder below _engine.
function(static_engine name folder)
  ExternalProject_Add(${name}
    SOURCE_DIR ${CMAKE_SOURCE_DIR}
    BINARY_DIR ${CMAKE_BINARY_DIR}/${name}
    CMAKE_ARGS -DRTG_PORTS=posix -DRTG_STATIC=ON -DCMAKE_BUILD_TYPE=Release ${ARGN}
    INSTALL_COMMAND ""
    BUILD_ALWAYS ON)
  install(PROGRAMS ${CMAKE_BINARY_DIR}/${name}/engine/rtgauge-engine DESTINATION ${folder} RENAME rtgauge-engine-static)
  install(PROGRAMS ${CMAKE_BINARY_DIR}/${name}/engine/rtgauge-init DESTINATION ${folder})
endfunction()

if(MUSL_GCC)
  # musl-gcc knows musl's headers only; those of the kernel come from the system, looked at last.
  static_engine(static _engine -DCMAKE_C_COMPILER=${MUSL_GCC}
    "-DCMAKE_C_FLAGS=-idirafter /usr/include -idirafter /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}")
else()
  message(STATUS "musl-gcc is not there (package musl-tools): the static engine is left out")
endif()
if(AARCH64_GCC AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  static_engine(static_aarch64 _engine/aarch64 -DCMAKE_C_COMPILER=${AARCH64_GCC} -DCMAKE_SYSTEM_NAME=Linux
    -DCMAKE_SYSTEM_PROCESSOR=aarch64)
elseif(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  message(STATUS "aarch64-linux-gnu-gcc is not there (packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross): the "
                 "engine for guests of that processor is left out")
endif()
