# `cpack` in the build folder makes an archive of the installed layout, and a Debian package where
# dpkg is there: the programs, the libraries, the headers with the CMake package, and man pages.
set(weft_man_folder ${CMAKE_INSTALL_MANDIR}/man1)
if(TARGET weft_program)
  install(CODE "execute_process(
      COMMAND \"${CMAKE_COMMAND}\" \"-DPROGRAM=$<TARGET_FILE:weft_program>\" -DVERSION=${PROJECT_VERSION}
              \"-DFOLDER=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${weft_man_folder}\"
              -P \"${PROJECT_SOURCE_DIR}/cmake/ManPages.cmake\" COMMAND_ERROR_IS_FATAL ANY)")
endif()
install(FILES LICENSE NOTICE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR TGZ)
find_program(WEFT_DPKG_SHLIBDEPS dpkg-shlibdeps)
if(WEFT_DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_VENDOR weft)
set(CPACK_PACKAGE_CONTACT "The weft authors <weft@localhost>")
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# Libraries that are linked are found by dpkg; OpenBLAS is opened when it is needed. The headers need
# nothing but a C++20 compiler.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${WEFT_LIBRARY_DIR})
set(CPACK_DEBIAN_PACKAGE_DEPENDS libopenblas0)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake")
# `convert` is ImageMagick's where that is installed: the package gives the name as an alternative.
set(weft_deb ${PROJECT_SOURCE_DIR}/cmake/debian)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${weft_deb}/postinst ${weft_deb}/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${weft_deb}/Arrange.cmake)
set(CPACK_PROJECT_CONFIG_FILE ${weft_deb}/Prefix.cmake)
include(CPack)
