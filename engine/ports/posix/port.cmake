# The POSIX port. Sets, for the port under build:
#   RTG_PORT_SOURCES   its files
#   RTG_PORT_CLOCKS    its stamp clocks, best first: <name>:<folder of <name>.h and <name>.c>
#   RTG_PORT_LIBRARIES what it links
set(here ${CMAKE_CURRENT_LIST_DIR})
set(RTG_PORT_SOURCES ${here}/process.c ${here}/child.c ${here}/watchdog.c ${here}/threads.c ${here}/sync.c ${here}/queue.c ${here}/signals.c ${here}/service.c ${here}/heap.c ${here}/files.c ${here}/time.c)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT RTG_PURE_POSIX)
  list(APPEND RTG_PORT_SOURCES ${here}/linux.c ${here}/linux_time.c ${here}/linux_facts.c
       ${here}/linux_code.c ${here}/linux_memory.c ${here}/linux_files.c ${here}/linux_events.c ${here}/linux_events_setup.c ${here}/linux_events_clock.c ${here}/linux_events_lines.c ${here}/linux_events_read.c ${here}/linux_tracers.c ${here}/linux_tracers_read.c ${here}/linux_irq.c ${here}/linux_irq_module.c)
else()
  list(APPEND RTG_PORT_SOURCES ${here}/os_none.c ${here}/no_events.c)
endif()

# What is tried to see what the system offers: none of it is timed.
set(tried ${here}/features.c ${here}/features_files.c ${here}/features_realtime.c ${here}/features_threads.c
    ${here}/features_api.c ${here}/features_objects.c ${here}/architecture.c)
list(APPEND RTG_PORT_SOURCES ${tried})
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT RTG_PURE_POSIX)
  list(APPEND RTG_PORT_SOURCES ${here}/linux_traits.c)
endif()
if(RTG_STATIC)
  set_source_files_properties(${tried} PROPERTIES COMPILE_OPTIONS -Os)
endif()

set(RTG_PORT_CLOCKS)
if(NOT RTG_PURE_POSIX)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    list(APPEND RTG_PORT_CLOCKS x86_tsc:${RTG_CLOCKS_DIR})
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    list(APPEND RTG_PORT_CLOCKS arm64_cntvct:${RTG_CLOCKS_DIR})
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^riscv64$")
    list(APPEND RTG_PORT_CLOCKS riscv_time:${RTG_CLOCKS_DIR})
  endif()
endif()
list(APPEND RTG_PORT_CLOCKS posix_monotonic:${here})

find_package(Threads REQUIRED)
set(RTG_PORT_LIBRARIES Threads::Threads)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  list(APPEND RTG_PORT_LIBRARIES rt) # timer_create before glibc 2.34
endif()
set(RTG_PORT_DEFINITIONS _POSIX_C_SOURCE=200809L)

# Some C libraries (musl) have no priority ceilings: found by linking, not by a header.
include(CheckFunctionExists)
set(CMAKE_REQUIRED_LIBRARIES ${CMAKE_THREAD_LIBS_INIT})
check_function_exists(pthread_mutexattr_setprioceiling RTG_HAVE_PRIO_PROTECT)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT RTG_HAVE_PRIO_PROTECT)
  list(APPEND RTG_PORT_DEFINITIONS RTG_POSIX_NO_PRIO_PROTECT)
endif()
