# Builds the example plugin as a stranger would and runs it; see tests/CMakeLists.txt.
include(${CMAKE_CURRENT_LIST_DIR}/../build_project.cmake)
build_project(${SOURCE}/acme)
run(${WORK}/use_plugin ${WORK}/acme.so)
if(NOT output STREQUAL "acme 1.2.0: 12 litres through 4 heads\n")
  message(FATAL_ERROR "the plugin gave: ${output}")
endif()
