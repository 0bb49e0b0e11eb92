// SHA-256 as in FIPS 180-4.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Of bytes that come one after the other.
class WEFT_API Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  // 64 lower-case hexadecimal digits, of all bytes so far; more may be added.
  std::string str() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// 64 lower-case hexadecimal digits.
WEFT_API std::string sha256(std::string_view bytes);
// Of a regular file, read in pieces. Throws as InputFile if it cannot be read.
WEFT_API std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace weft
