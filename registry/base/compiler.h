// The compiler of a file, and the sanitizers that it was told to add.
#pragma once

#include <string_view>

namespace weft {

// "GCC 12.2.0", "Debian Clang 14.0.6".
constexpr std::string_view compiler_name() {
#if defined(__clang__)
  return __VERSION__;
#else
  return "GCC " __VERSION__;
#endif
}

// GCC tells of a sanitizer by a macro, Clang by a feature.
constexpr bool has_address_sanitizer() {
#if defined(__SANITIZE_ADDRESS__)
  return true;
#elif defined(__has_feature)
  return __has_feature(address_sanitizer);
#else
  return false;
#endif
}

constexpr bool has_thread_sanitizer() {
#if defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(thread_sanitizer);
#else
  return false;
#endif
}

}  // namespace weft
