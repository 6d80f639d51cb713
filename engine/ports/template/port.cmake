# A port's CMake part; see ../posix/port.cmake for what the variables mean.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(RTG_PORT_SOURCES ${here}/process.c ${here}/processes.c ${here}/threads.c ${here}/objects.c ${here}/messages.c ${here}/time.c)
set(RTG_PORT_CLOCKS template_clock:${here})
set(RTG_PORT_LIBRARIES "")
set(RTG_PORT_DEFINITIONS "")
