# The fake port: a deterministic operating system in virtual time. Sets what engine/ports/posix/port.cmake explains.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(RTG_PORT_SOURCES
  ${here}/time.c ${here}/queue.c ${here}/fiber.c ${here}/sched.c ${here}/thread.c ${here}/level.c ${here}/inherit.c
  ${here}/processes.c ${here}/sem.c ${here}/mutex.c ${here}/messages.c ${here}/timer.c ${here}/os.c ${here}/memory.c ${here}/heap.c ${here}/files.c ${here}/port.c ${here}/apart.c ${here}/service.c
  ${here}/faults.c ${here}/events.c ${here}/interrupts.c)
list(APPEND RTG_PORT_SOURCES ${here}/features.c)
set(RTG_PORT_CLOCKS fake_virtual:${here})
set(RTG_PORT_LIBRARIES)
set(RTG_PORT_DEFINITIONS)
