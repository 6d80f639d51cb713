# Writes rtg_features.h: a number and a name for each feature that API-B-PSX and API-B-RCH ask for, out of the reference
# data of the host, where they have their names.
#
#   rtg_write_features(output prefix csv [prefix csv]...)
function(rtg_write_features output)
  set(numbers "")
  set(lists "")
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs prefix csv)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${csv})
    file(STRINGS ${csv} lines REGEX "^[a-z0-9-]+,")
    list(REMOVE_AT lines 0) # the names of the columns
    set(first "")
    set(names "")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^([a-z0-9-]+),.*$" "\\1" slug "${line}")
      string(REPLACE "-" "_" number "${slug}")
      string(TOUPPER "RTG_${prefix}_${number}" number)
      if(first STREQUAL "")
        set(first ${number})
      endif()
      string(APPEND numbers "    ${number},\n")
      string(APPEND names "    \"${slug}\", \\\n")
    endforeach()
    string(APPEND lists "#define RTG_FIRST_${prefix} ${first}\n#define RTG_NAMES_${prefix} \\\n${names}\n")
  endwhile()
  file(CONFIGURE OUTPUT ${output} CONTENT
    "/* Generated from the reference data of the host. */\n#ifndef RTG_FEATURES_H\n#define RTG_FEATURES_H\n\nenum {\n${numbers}    RTG_FEATURES\n};\n\n${lists}#endif\n"
    @ONLY)
endfunction()
