# Warnings, sanitizers and the compiler cache for every target of the project.
add_library(weft_options INTERFACE)
target_compile_options(weft_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;$<$<BOOL:${WEFT_WERROR}>:-Werror>>")
# GCC looks for garbage of its own less often: a seventh of its time, for 110 MB more.
target_compile_options(weft_options INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-expand=300>"
                       "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=524288>")
target_include_directories(weft_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)

# weft_precompile(TARGET [HEADER...]): headers of the standard library, of fmt and those named are
# compiled once for the target: a quarter of the time that compiling takes otherwise.
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without, which shows includes that are missing.
function(weft_precompile target)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/common_headers.h> ${ARGN})
  # So that the compiler cache takes sources with a precompiled header. In one, GCC no longer knows system
  # headers as such and shows false warnings about copies inside of std::string (its bug 105651).
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess;-Wno-restrict;-Wno-array-bounds>"
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow;-Wno-stringop-overread>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

# -O2 without -g: the default Release flags (-O3) make the build slower for no measured gain
# outside the kernels, which ask for what they need themselves.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# weft_small(TARGET): for size where WEFT_SMALL is on. Sources take 50 to 70 % of the room.
function(weft_small target)
  if(WEFT_SMALL)
    target_compile_options(${target} PRIVATE -Os)
  endif()
endfunction()

if(WEFT_SANITIZE)
  add_compile_options(-fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WEFT_SANITIZE})
endif()

# Coverage feedback for libFuzzer in everything but the fuzz targets, which link it in.
if(WEFT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(WEFT_CCACHE ccache)
if(WEFT_CCACHE)
  # Without this it leaves sources with a precompiled header to the compiler.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${WEFT_CCACHE})
endif()
