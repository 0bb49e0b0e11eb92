# For projects that are built against the installed copy: `run(COMMAND...)` runs a command, leaves
# what it printed in `output`, and fails with it; `build_project(FOLDER)` builds a project into WORK.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(build_project folder)
  file(REMOVE_RECURSE ${WORK})
  run(${CMAKE_COMMAND} -S ${folder} -B ${WORK} -DCMAKE_PREFIX_PATH=${PREFIX}
      -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS=${FLAGS}")
  run(${CMAKE_COMMAND} --build ${WORK})
endfunction()
