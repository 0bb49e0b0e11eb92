// Writes tar archives (POSIX ustar). The same files give the same bytes: none has a date or an
// owner.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

class WEFT_API TarWriter {
 public:
  // `out` outlives it.
  explicit TarWriter(std::ostream& out) : out_(out) {}

  // Names are relative paths. Both throw Error(data) for a name of more than 255 bytes, or 100
  // behind its last '/', and for a file of 8 GiB, which the format has no room for.
  void add(const std::string& name, std::string_view bytes);
  void add_file(const std::string& name, const std::filesystem::path& file);
  void finish();

 private:
  void add_header(const std::string& name, std::uint64_t size);
  void pad(std::uint64_t size);

  std::ostream& out_;
};

}  // namespace weft
