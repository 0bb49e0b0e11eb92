# The installed layout: bin/ with the program and its other names, lib/ with the two libraries and
# the CMake package, include/weft/ with the headers by room.
include(CMakePackageConfigHelpers)
include(WeftPlugin)

set(weft_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
set_target_properties(weft_registry weft PROPERTIES INSTALL_RPATH "$ORIGIN")
set_target_properties(weft_registry PROPERTIES EXPORT_NAME registry)
target_include_directories(weft_registry
                           INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/weft>)

install(TARGETS weft_registry weft EXPORT weftTargets)
if(TARGET weft_cuda)
  install(TARGETS weft_cuda)
endif()
if(TARGET weft_program)
  install(TARGETS weft_program)
  # `train config.cfg` is `weft train config.cfg`.
  foreach(name train evaluate apply convert)
    set(link "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${name}")
    install(CODE "file(CREATE_LINK weft \"${link}\" SYMBOLIC)")
  endforeach()
endif()
foreach(room registry framework components)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${room})
    install(DIRECTORY ${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft
            FILES_MATCHING PATTERN "*.h")
  endif()
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/registry/plugins/abi_hash.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft/registry/plugins)

configure_package_config_file(cmake/weftConfig.cmake.in ${PROJECT_BINARY_DIR}/weftConfig.cmake
                              INSTALL_DESTINATION ${weft_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
                                 COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/weftConfig.cmake ${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
              cmake/WeftPlugin.cmake cmake/plugin_entry.cc.in
        DESTINATION ${weft_cmake_dir})
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${weft_cmake_dir})

# `cpack` in the build folder makes an archive of the installed layout.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VENDOR weft)
include(CPack)
