# Makes the archive of the installed layout and unpacks it. Run with -DCPACK=<cpack> -DBUILD=<build folder>
# -DFOLDER=<folder>.
include(${CMAKE_CURRENT_LIST_DIR}/build_project.cmake)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
run(${CPACK} -G TGZ --config ${BUILD}/CPackConfig.cmake -B ${FOLDER})
file(GLOB archive ${FOLDER}/*.tar.gz)
file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${FOLDER})
file(REMOVE ${archive})
file(GLOB program ${FOLDER}/*/bin/weft)
if(NOT program)
  message(FATAL_ERROR "the archive has no program")
endif()
run(${program} --version)
