# Fewer and larger sources for a build from nothing: half of the compiler's time goes into headers and
# templates that the next source has as well.
option(WEFT_UNITY "Compile several sources as one" OFF)
set(WEFT_UNITY_SOURCES 16 CACHE STRING "The most sources that are compiled as one")
mark_as_advanced(WEFT_UNITY_SOURCES)
if(WEFT_UNITY)
  find_program(WEFT_PYTHON python3 REQUIRED)
endif()

# weft_unite(TARGET [FOLDER...]): gathers the sources of the target into units, but those that are made by the build
# or have flags of their own. Comes behind all that sets such flags. Includes are relative to the root of the sources
# and to the folders.
function(weft_unite target)
  if(NOT WEFT_UNITY)
    return()
  endif()
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH root)
  set(roots --root ${root})
  foreach(folder IN LISTS ARGN)
    list(APPEND roots --root ${folder})
  endforeach()
  get_target_property(sources ${target} SOURCES)
  set(own)
  foreach(source IN LISTS sources)
    cmake_path(IS_PREFIX root ${source} NORMALIZE inside)
    get_source_file_property(made ${source} GENERATED)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(inside AND NOT made AND NOT options AND NOT definitions)
      list(APPEND own ${source})
    endif()
  endforeach()
  list(JOIN own "\n" lines)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/unity/${target})
  file(CONFIGURE OUTPUT ${folder}.txt CONTENT "${lines}\n")
  execute_process(COMMAND ${WEFT_PYTHON} ${root}/cmake/unity_sources.py ${roots} --folder ${folder}
                          --most ${WEFT_UNITY_SOURCES}
                  INPUT_FILE ${folder}.txt OUTPUT_VARIABLE compiled COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n$" "" compiled "${compiled}")
  string(REPLACE "\n" ";" compiled "${compiled}")
  list(REMOVE_ITEM sources ${own})
  set_property(TARGET ${target} PROPERTY SOURCES ${sources} ${compiled})
  # GCC takes a type of one source for one that others share, as it stands in an included file.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>"
                         "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wno-subobject-linkage>")
  list(LENGTH compiled count)
  if(count LESS 3)  # a precompiled header takes longer than it saves
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
  # Another name in a source may ask for other units.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${own} ${root}/cmake/unity_sources.py)
endfunction()
