# Installs the build into a folder of its own, builds the example plugin against that as a stranger
# would, and runs it. Run with -DBUILD=<build folder> -DSOURCE=<this folder> -DWORK=<empty folder>.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
foreach(name train evaluate apply convert)
  if(NOT IS_SYMLINK ${WORK}/installed/bin/${name})
    message(FATAL_ERROR "bin/${name} was not installed")
  endif()
endforeach()
run(${CMAKE_COMMAND} -S ${SOURCE}/acme -B ${WORK}/acme -DCMAKE_PREFIX_PATH=${WORK}/installed
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/acme)
run(${WORK}/acme/use_plugin ${WORK}/acme/acme.so)
if(NOT output STREQUAL "acme 1.2.0: 12 litres through 4 heads\n")
  message(FATAL_ERROR "the plugin gave: ${output}")
endif()
