# The fake port: a deterministic operating system in virtual time. Sets what engine/ports/posix/port.cmake explains.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(RTG_PORT_SOURCES
  ${here}/time.c ${here}/queue.c ${here}/fiber.c ${here}/sched.c ${here}/thread.c ${here}/level.c ${here}/inherit.c
  ${here}/processes.c ${here}/sem.c ${here}/mutex.c ${here}/messages.c ${here}/timer.c ${here}/os.c ${here}/memory.c ${here}/port.c ${here}/apart.c
  ${here}/faults.c)
set(RTG_PORT_CLOCKS fake_virtual:${here})
set(RTG_PORT_LIBRARIES)
set(RTG_PORT_DEFINITIONS)
