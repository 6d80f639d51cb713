# The static engine, which runs on any Linux of this processor: the same sources by another compiler, so in a build of
# its own. Left out, with a message, where there is no musl-gcc.
include(ExternalProject)
find_program(MUSL_GCC musl-gcc)
if(NOT MUSL_GCC)
  message(STATUS "musl-gcc is not there (package musl-tools): the static engine is left out")
  return()
endif()
# musl-gcc knows musl's headers only; those of the kernel come from the system, looked at last.
ExternalProject_Add(static_engine
  SOURCE_DIR ${CMAKE_SOURCE_DIR}
  BINARY_DIR ${CMAKE_BINARY_DIR}/static
  CMAKE_ARGS -DCMAKE_C_COMPILER=${MUSL_GCC} -DRTG_PORTS=posix -DRTG_STATIC=ON -DCMAKE_BUILD_TYPE=Release
             "-DCMAKE_C_FLAGS=-idirafter /usr/include -idirafter /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}"
  INSTALL_COMMAND ""
  BUILD_ALWAYS ON)
install(PROGRAMS ${CMAKE_BINARY_DIR}/static/engine/rtgauge-engine DESTINATION _engine RENAME rtgauge-engine-static)
