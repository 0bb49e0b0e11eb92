# weft_add_plugin(NAME [VERSION x.y.z] sources...)
#
# A shared library NAME.so that `--code NAME.so` loads. Works in a project that found weft with
# find_package(weft), and in weft's own build.
set(WEFT_PLUGIN_ENTRY ${CMAKE_CURRENT_LIST_DIR}/plugin_entry.cc.in)

function(weft_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 plugin "" VERSION "")
  if(NOT plugin_VERSION)
    set(plugin_VERSION 0.0.0)
  endif()
  set(plugin_NAME ${name})
  set(entry ${CMAKE_CURRENT_BINARY_DIR}/${name}_plugin_entry.cc)
  configure_file(${WEFT_PLUGIN_ENTRY} ${entry} @ONLY)
  add_library(${name} MODULE ${plugin_UNPARSED_ARGUMENTS} ${entry})
  target_link_libraries(${name} PRIVATE weft::weft)
  target_compile_features(${name} PRIVATE cxx_std_20)
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON CXX_EXTENSIONS OFF)
endfunction()
