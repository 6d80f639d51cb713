# The FreeRTOS port, on a board of engine/boards/. Sets what ../posix/port.cmake explains, and
#   RTG_PORT_PROGRAM       what a program is made of beside the library
#   RTG_PORT_LINK_DEPENDS  files of which the linker reads
#
#   RTG_BOARD             the board: boards/<board>/board.cmake
#   RTG_FREERTOS_KERNEL   the folder of the kernel's sources (tasks.c, include/, portable/); without it the library
#                         rtg_freertos is all that is built, for a firmware that brings the kernel
#   RTG_FREERTOS_CONFIG   options of FreeRTOSConfig.h, as NAME=VALUE;...
#   RTG_FREERTOS_INCLUDE  of a firmware: the folders of its FreeRTOSConfig.h, portmacro.h and the kernel's include/
set(RTG_FREERTOS_KERNEL "" CACHE PATH "folder of the FreeRTOS kernel's sources")
set(RTG_FREERTOS_CONFIG "" CACHE STRING "options of FreeRTOSConfig.h, NAME=VALUE;...")
set(RTG_BOARD_CHANNEL semihosting CACHE STRING "how the board reaches the host: semihosting or serial")
set(RTG_FREERTOS_INCLUDE "" CACHE STRING "folders of a firmware's FreeRTOSConfig.h and of its kernel's headers")
set(here ${CMAKE_CURRENT_LIST_DIR})
set(boards ${CMAKE_CURRENT_LIST_DIR}/../../boards)
get_filename_component(boards ${boards} ABSOLUTE)
if(NOT EXISTS ${boards}/${RTG_BOARD}/board.cmake)
  file(GLOB there RELATIVE ${boards} ${boards}/*/board.cmake)
  string(REPLACE "/board.cmake" "" there "${there}")
  message(FATAL_ERROR "RTG_BOARD must name a board, one of: ${there}")
endif()
include(${boards}/${RTG_BOARD}/board.cmake)
set(here ${CMAKE_CURRENT_LIST_DIR})
include(${CMAKE_CURRENT_LIST_DIR}/../../tools/freertos.cmake)

set(RTG_PORT_SOURCES ${here}/process.c ${here}/facts.c ${here}/threads.c ${here}/sync.c ${here}/queue.c ${here}/time.c
    ${here}/memory.c ${here}/irq.c ${here}/service.c ${here}/features.c ${here}/features_tasks.c
    ${here}/features_objects.c ${here}/none.c ${here}/engine.c ${here}/atomics.c)
set(RTG_PORT_CLOCKS ${RTG_BOARD_CLOCKS})
set(RTG_PORT_LIBRARIES ${RTG_BOARD_LIBRARIES})
set(RTG_PORT_DEFINITIONS "")
foreach(option IN LISTS RTG_FREERTOS_CONFIG)
  string(REGEX REPLACE "^configASSERT=" "RTG_FREERTOS_ASSERT=" option "${option}")
  list(APPEND RTG_PORT_DEFINITIONS "${option}")
endforeach()

get_filename_component(root ${boards}/../.. ABSOLUTE)
# What makes the image small, and the same wherever it is built.
add_library(rtg_bare INTERFACE)
target_link_libraries(rtg_options INTERFACE rtg_bare)
target_compile_options(rtg_bare INTERFACE ${RTG_BOARD_OPTIONS} -ffunction-sections -fdata-sections -g0
  -ffile-prefix-map=${root}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build)
target_link_options(rtg_bare INTERFACE ${RTG_BOARD_LINK} -Wl,--gc-sections)
target_include_directories(rtg_bare INTERFACE ${boards}/${RTG_BOARD} ${boards}/common)

set(config_headers ${here}/FreeRTOSConfig.h ${boards}/${RTG_BOARD}/rtg_board_freertos.h)
if(RTG_FREERTOS_KERNEL)
  set(kernel ${RTG_FREERTOS_KERNEL})
  set(layer ${kernel}/portable/${RTG_BOARD_FREERTOS})
  foreach(file tasks.c include/FreeRTOS.h portable/${RTG_BOARD_FREERTOS}/portmacro.h)
    if(NOT EXISTS ${kernel}/${file})
      message(FATAL_ERROR "RTG_FREERTOS_KERNEL is no folder of the kernel's sources: ${kernel}/${file} is missing")
    endif()
  endforeach()
  set(kernel_files ${kernel}/tasks.c ${kernel}/queue.c ${kernel}/list.c ${kernel}/timers.c ${kernel}/event_groups.c
      ${kernel}/stream_buffer.c ${kernel}/portable/MemMang/heap_4.c)
  foreach(file IN LISTS RTG_BOARD_FREERTOS_FILES)
    list(APPEND kernel_files ${layer}/${file})
  endforeach()
  # Its warnings are not ours; its memory functions come from the board.
  set_source_files_properties(${kernel_files} PROPERTIES COMPILE_OPTIONS "-w;-std=gnu11;${RTG_BOARD_FREERTOS_OPTIONS}")
  list(APPEND RTG_PORT_SOURCES ${kernel_files})
  target_compile_options(rtg_bare INTERFACE -ffile-prefix-map=${kernel}=freertos)
  target_include_directories(rtg_bare SYSTEM INTERFACE ${kernel}/include ${layer})
  foreach(folder IN LISTS RTG_BOARD_FREERTOS_INCLUDES)
    target_include_directories(rtg_bare SYSTEM INTERFACE ${kernel}/portable/${folder})
  endforeach()
  set(RTG_PORT_PROGRAM ${here}/start.c ${RTG_BOARD_SOURCES})
else()
  find_file(own FreeRTOSConfig.h PATHS ${RTG_FREERTOS_INCLUDE} NO_DEFAULT_PATH NO_CACHE)
  if(NOT own)
    message(FATAL_ERROR "give RTG_FREERTOS_KERNEL, or by RTG_FREERTOS_INCLUDE the folder of a FreeRTOSConfig.h")
  endif()
  set(config_headers ${own})
  target_include_directories(rtg_bare SYSTEM INTERFACE ${RTG_FREERTOS_INCLUDE})
  target_compile_definitions(rtg_bare INTERFACE RTG_FREERTOS_OWN_CONFIG="${own}")
  add_library(rtg_board INTERFACE) # what a firmware without a board of its own links
  target_sources(rtg_board INTERFACE ${RTG_BOARD_SOURCES})
  set(RTG_PORT_PROGRAM "")
endif()
file(GLOB RTG_PORT_LINK_DEPENDS ${boards}/${RTG_BOARD}/*.ld)
rtg_write_freertos_options(${RTG_GENERATED}/freertos_options.h ${config_headers} ${RTG_FREERTOS_CONFIG_HEADERS})
