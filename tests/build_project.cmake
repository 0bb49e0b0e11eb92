# For projects that are built against the installed copy: `run(COMMAND...)` runs a command, leaves
# what it printed in `output`, and fails with it; `fail(CODE COMMAND...)` wants it to end with that
# code; `expect(TEXT)` wants a text in `output`; `build_project(FOLDER)` builds a project into WORK.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(fail code)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL ${code})
    message(FATAL_ERROR "${ARGN} ended with ${status}, not ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect text)
  string(FIND "${output}" "${text}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "there is no\n${text}\nin\n${output}")
  endif()
endfunction()

function(build_project folder)
  file(REMOVE_RECURSE ${WORK})
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${folder} -B ${WORK} -DCMAKE_PREFIX_PATH=${PREFIX}
      -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS=${FLAGS}")
  run(${CMAKE_COMMAND} --build ${WORK})
endfunction()
