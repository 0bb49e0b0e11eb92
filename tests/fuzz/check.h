// A property that a fuzz target checks: says which one failed and aborts, so that the fuzzer keeps
// the input.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace weft::fuzz {

inline void check(bool holds, const char* property, const std::string& details) {
  if (holds) return;
  std::fprintf(stderr, "%s\n%s\n", property, details.c_str());
  std::abort();
}

}  // namespace weft::fuzz
