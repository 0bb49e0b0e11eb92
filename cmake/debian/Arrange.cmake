# Moves the name `convert` out of the way of ImageMagick before a Debian package is closed; its
# postinst offers it as an alternative.
if(CPACK_GENERATOR STREQUAL DEB)
  set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
  file(REMOVE ${usr}/bin/convert)
  file(MAKE_DIRECTORY ${usr}/lib/weft)
  file(CREATE_LINK ../../bin/weft ${usr}/lib/weft/convert SYMBOLIC)
endif()
