# Writes registry/plugins/abi_hash.h: the version and one hash of all installed headers, so that a plugin
# built against other headers is refused. Run as a script at build time, included to set that up.
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB_RECURSE headers RELATIVE ${SOURCE} ${SOURCE}/registry/*.h ${SOURCE}/framework/*.h
       ${SOURCE}/components/*.h)
  list(SORT headers)
  set(text)
  foreach(header IN LISTS headers)
    file(SHA256 ${SOURCE}/${header} hash)
    string(APPEND text "${header} ${hash}\n")
  endforeach()
  string(SHA256 hash "${text}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(content "// Made by the build (cmake/AbiHash.cmake).
#pragma once

#include <string_view>

namespace weft {

inline constexpr std::string_view kVersion = \"${VERSION}\";
inline constexpr std::string_view kHeadersHash = \"${hash}\";

}  // namespace weft
")
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${content}" @ONLY)
  return()
endif()

set(WEFT_GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/registry/*.h
     ${PROJECT_SOURCE_DIR}/framework/*.h ${PROJECT_SOURCE_DIR}/components/*.h)
add_custom_command(
  OUTPUT ${WEFT_GENERATED_DIR}/abi_hash.stamp
  BYPRODUCTS ${WEFT_GENERATED_DIR}/registry/plugins/abi_hash.h
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          -DOUTPUT=${WEFT_GENERATED_DIR}/registry/plugins/abi_hash.h -P ${CMAKE_CURRENT_LIST_FILE}
  COMMAND ${CMAKE_COMMAND} -E touch ${WEFT_GENERATED_DIR}/abi_hash.stamp
  DEPENDS ${headers} ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "Hashing the headers that plugins are built against"
  VERBATIM)
add_custom_target(weft_abi_hash DEPENDS ${WEFT_GENERATED_DIR}/abi_hash.stamp)
