# Read by cpack for each kind of package: those of Debian are installed into /usr.
if(CPACK_GENERATOR STREQUAL DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
