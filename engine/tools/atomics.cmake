# Some compilers call a library for an atomic byte (GCC before 14 on RISC-V) or for 64 bits at once (32-bit processors).
#
#   rtg_find_atomics(result)   to be linked: `atomic`, or nothing where the processor does it all
include(CheckCSourceCompiles)

function(rtg_find_atomics result)
  set(${result} "" PARENT_SCOPE)
  if(CMAKE_SYSTEM_NAME STREQUAL "Generic") # no program can be linked there before its board is known
    return()
  endif()
  set(use "#include <stdatomic.h>
    static atomic_bool one; static atomic_ullong eight;
    int main(void) { return atomic_exchange(&one, 1) + (int)atomic_fetch_add(&eight, 1); }")
  check_c_source_compiles("${use}" RTG_ATOMICS_BUILT_IN)
  if(RTG_ATOMICS_BUILT_IN)
    return()
  endif()
  set(CMAKE_REQUIRED_LIBRARIES atomic)
  check_c_source_compiles("${use}" RTG_ATOMICS_IN_LIBRARY)
  if(RTG_ATOMICS_IN_LIBRARY)
    set(${result} atomic PARENT_SCOPE)
  endif()
endfunction()
