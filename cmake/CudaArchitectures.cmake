# The architectures that the CUDA backend is built for where nobody says otherwise. As a script it prints them:
#   cmake -DWEFT_NVCC=nvcc -P cmake/CudaArchitectures.cmake

# Code for 7.5 and for every major version from 8 on that this nvcc knows, which serves its minor
# versions too; PTX of the newest for what comes later.
function(weft_cuda_architectures nvcc result)
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE known)
  string(REGEX MATCHALL "compute_[0-9]+" known "${known}")
  set(architectures 75)
  foreach(name IN LISTS known)
    string(REGEX REPLACE "compute_" "" number ${name})
    if(number GREATER_EQUAL 80 AND number MATCHES "0$")
      list(APPEND architectures ${number})
    endif()
  endforeach()
  list(SORT architectures COMPARE NATURAL)
  list(TRANSFORM architectures APPEND -real OUTPUT_VARIABLE built)
  list(GET architectures -1 newest)
  set(${result} ${built} ${newest}-virtual PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  weft_cuda_architectures(${WEFT_NVCC} architectures)
  message("${architectures}")
endif()
