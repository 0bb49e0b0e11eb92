# The installed layout: bin/ with the program and its other names, lib/ with the two libraries, the
# CMake package and the files of pkg-config, include/weft/ with the headers by module, share/doc/weft/
# with the pages that the headers cite.
include(CMakePackageConfigHelpers)
include(WeftPlugin)

set(weft_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
# Until 1.0 every second number stands for another interface.
set_target_properties(weft_registry weft PROPERTIES
                      INSTALL_RPATH "$ORIGIN" VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(weft_registry PROPERTIES EXPORT_NAME registry)
target_include_directories(weft_registry INTERFACE
                           $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/weft>)
target_compile_features(weft_registry INTERFACE cxx_std_20)
if(NOT WEFT_INSTALL)
  return()
endif()

install(TARGETS weft_registry weft EXPORT weftTargets)
foreach(library weft_cuda weft_comm_mpi weft_comm_gloo)
  if(TARGET ${library})
    install(TARGETS ${library})
  endif()
endforeach()
if(TARGET weft_program)
  install(TARGETS weft_program)
  # `train config.cfg` is `weft train config.cfg`.
  foreach(name train evaluate apply convert)
    set(link "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${name}")
    install(CODE "file(CREATE_LINK weft \"${link}\" SYMBOLIC)")
  endforeach()
endif()
foreach(module registry framework components)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${module})
    # Those of backends and engines are for their own sources; some need CUDA's.
    install(DIRECTORY ${module} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft
            FILES_MATCHING PATTERN "*.h" REGEX "/(backends/cuda|comm/engines)$" EXCLUDE)
  endif()
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/registry/plugins/abi_hash.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft/registry/plugins)

install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
file(RELATIVE_PATH weft_prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(name weft weft-registry)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

configure_package_config_file(cmake/weftConfig.cmake.in ${PROJECT_BINARY_DIR}/weftConfig.cmake
                              INSTALL_DESTINATION ${weft_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
                                 COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/weftConfig.cmake ${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
              cmake/WeftPlugin.cmake cmake/plugin_entry.cc.in
        DESTINATION ${weft_cmake_dir})
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${weft_cmake_dir})

include(Package)
