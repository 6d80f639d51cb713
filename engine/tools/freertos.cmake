# Writes the names of the kernel's options, each with its value in force, for the port to report as facts. The names are
# those that the headers of the configuration know.
#
#   rtg_write_freertos_options(output header...)
function(rtg_write_freertos_options output)
  set(names "")
  foreach(header IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    file(READ ${header} text)
    string(REGEX MATCHALL "config[A-Z][A-Za-z0-9_]*[ \n]" found "${text}")
    foreach(name IN LISTS found)
      string(STRIP "${name}" name)
      list(APPEND names ${name})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(REMOVE_ITEM names configSTACK_DEPTH_TYPE configASSERT) # a type; and what is always defined in the end
  list(SORT names)
  set(lines "SET(configASSERT, configASSERT_DEFINED)\n")
  foreach(name IN LISTS names)
    string(APPEND lines "#ifdef ${name}\nNUMBER(${name})\n#endif\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "/* Generated from the headers of the kernel's configuration. */\n${lines}" @ONLY)
endfunction()
