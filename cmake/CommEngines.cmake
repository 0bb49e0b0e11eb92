# libweft_comm_mpi.so, libweft_comm_gloo.so and libweft_comm_nccl.so, opened at run time by the runs that
# need them. WEFT_MPI, WEFT_GLOO, WEFT_NCCL: AUTO builds an engine where its library is found, ON fails
# where it is not, OFF does without. NCCL_ROOT: where NCCL is, such as nvidia/nccl of the PyPI package
# nvidia-nccl-cu12, in the folder into which it was installed.
foreach(engine MPI GLOO NCCL)
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
  set(WEFT_HAS_NCCL OFF)
  return()
endif()
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)
find_package(Gloo QUIET CONFIG)
weft_decide_engine(MPI "${MPI_CXX_FOUND}" libopenmpi-dev)
weft_decide_engine(GLOO "${Gloo_FOUND}" libgloo-dev)
find_package(CUDAToolkit QUIET)
find_path(WEFT_NCCL_INCLUDE nccl.h HINTS ${NCCL_ROOT} $ENV{NCCL_ROOT} ${CUDAToolkit_INCLUDE_DIRS}
          PATH_SUFFIXES include)
# The package has the library without its short name. Some toolkits bring NCCL along.
find_library(WEFT_NCCL_LIBRARY NAMES nccl libnccl.so.2
             HINTS ${NCCL_ROOT} $ENV{NCCL_ROOT} ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib)
set(found OFF)
if(CUDAToolkit_FOUND AND TARGET CUDA::cudart AND WEFT_NCCL_INCLUDE AND WEFT_NCCL_LIBRARY)
  set(found ON)
endif()
weft_decide_engine(NCCL ${found} "NCCL or the CUDA toolkit")
