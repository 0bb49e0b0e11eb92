# libweft_comm_mpi.so and libweft_comm_gloo.so, opened at run time by the runs that need them.
# WEFT_MPI, WEFT_GLOO: AUTO builds an engine where its library is found, ON fails where it is not, OFF
# does without.
foreach(engine MPI GLOO)
  set(WEFT_${engine} AUTO CACHE STRING "Build the engine ${engine}: AUTO (where its library is found), ON, OFF")
  set_property(CACHE WEFT_${engine} PROPERTY STRINGS AUTO ON OFF)
endforeach()

# weft_decide_engine(NAME FOUND PACKAGE): sets WEFT_HAS_NAME.
function(weft_decide_engine name found package)
  set(has OFF)
  if(NOT WEFT_${name} STREQUAL "OFF" AND found)
    set(has ON)
  elseif(WEFT_${name} STREQUAL "ON")
    message(FATAL_ERROR "WEFT_${name} is ON, but ${package} is not installed")
  endif()
  message(STATUS "Engine ${name} of distributed training: ${has}")
  set(WEFT_HAS_${name} ${has} PARENT_SCOPE)
endfunction()

# Libraries that bring their own threads would not be seen by the sanitizers.
if(WEFT_SANITIZE OR WEFT_FUZZ)
  set(WEFT_HAS_MPI OFF)
  set(WEFT_HAS_GLOO OFF)
  return()
endif()
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)
find_package(Gloo QUIET CONFIG)
weft_decide_engine(MPI "${MPI_CXX_FOUND}" libopenmpi-dev)
weft_decide_engine(GLOO "${Gloo_FOUND}" libgloo-dev)
