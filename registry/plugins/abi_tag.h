// The tag that a plugin and the libraries must have in common to share objects: one text, made at
// compile time in each of them and compared as a whole.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <version>  // the macros of the standard library

#include "registry/base/compiler.h"
#include "registry/plugins/abi_hash.h"  // made by the build: kVersion and kHeadersHash

namespace weft {

class AbiTag {
 public:
  static constexpr std::size_t kSize = 256;

  constexpr AbiTag() {
    add("weft ");
    add(kVersion);
#if defined(__clang__)
    add("; clang ");
    add(__clang_major__);
#else
    add("; gcc ");
    add(__GNUC__);
#endif
    add("; libstdc++ ");
    add(_GLIBCXX_RELEASE);
    add(" cxx11-abi ");
    add(_GLIBCXX_USE_CXX11_ABI);
    add("; flags");
#if defined(_GLIBCXX_DEBUG)
    add(" glibcxx-debug");
#endif
    if (has_address_sanitizer()) add(" asan");
    if (has_thread_sanitizer()) add(" tsan");
    add("; headers ");
    add(kHeadersHash);
  }

  constexpr const std::array<char, kSize>& text() const {
    return text_;
  }
  constexpr std::string_view str() const {
    return {text_.data(), length_};
  }

 private:
  constexpr void add(std::string_view piece) {
    for (const char c : piece) text_.at(length_++) = c;
  }
  constexpr void add(int number) {
    if (number >= 10) add(number / 10);
    text_.at(length_++) = static_cast<char>('0' + number % 10);
  }

  std::array<char, kSize> text_{};
  std::size_t length_ = 0;
};

inline constexpr AbiTag kAbiTag;

}  // namespace weft
