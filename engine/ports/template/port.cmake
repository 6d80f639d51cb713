# A port's CMake part; see ../posix/port.cmake for what the variables mean.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(RTG_PORT_SOURCES ${here}/process.c ${here}/processes.c ${here}/events.c ${here}/threads.c ${here}/objects.c ${here}/messages.c ${here}/files.c ${here}/service.c ${here}/time.c)
list(APPEND RTG_PORT_SOURCES ${here}/features.c)
set(RTG_PORT_CLOCKS template_clock:${here})
set(RTG_PORT_LIBRARIES "")
set(RTG_PORT_DEFINITIONS "")
