# weft_precompile(TARGET [HEADER...]): headers of the standard library, of fmt and those named are
# compiled once for the target: a quarter of the time that compiling takes otherwise.
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without, which shows includes that are missing.
function(weft_precompile target)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${CMAKE_CURRENT_FUNCTION_LIST_DIR}/common_headers.h> ${ARGN})
  weft_precompiled_options(${target})
endfunction()

# weft_precompile_as(TARGET OWNER): the headers that were compiled for OWNER, a target of the same kind that has
# the same options.
function(weft_precompile_as target owner)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
  weft_precompiled_options(${target})
endfunction()

function(weft_precompiled_options target)
  # So that the compiler cache takes sources with a precompiled header. In one, GCC no longer knows system
  # headers as such and shows false warnings about copies inside of std::string (its bug 105651).
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess;-Wno-restrict;-Wno-array-bounds>"
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow;-Wno-stringop-overread>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()
