# Installs the build into a fresh folder. Run with -DBUILD=<build folder> -DPREFIX=<folder>.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "installing failed with ${status}:\n${output}")
endif()
foreach(name train evaluate apply convert)
  if(NOT IS_SYMLINK ${PREFIX}/bin/${name})
    message(FATAL_ERROR "bin/${name} was not installed")
  endif()
endforeach()
