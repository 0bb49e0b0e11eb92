// Writes zip archives, deflated. The same files give the same bytes: all have the earliest date
// that the format knows. Source: PKWARE's APPNOTE 6.3.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

class WEFT_API ZipWriter {
 public:
  // `out` outlives it and need not be seekable.
  explicit ZipWriter(std::ostream& out) : out_(out) {}

  // Names are relative paths with '/' between their parts, of at most 65,535 bytes. Both throw
  // Error(memory), the second as InputFile.
  void add(const std::string& name, std::string_view bytes);
  void add_file(const std::string& name, const std::filesystem::path& file);
  // Writes the directory; nothing can be added afterwards.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint64_t offset = 0, packed = 0, size = 0;
    std::uint32_t crc = 0;
  };
  // The next piece of a member; empty at its end.
  using Pieces = std::function<std::string_view()>;

  void add_pieces(const std::string& name, std::uint64_t size, const Pieces& next);
  void deflate_pieces(Entry& entry, const Pieces& next);
  void write(std::string_view bytes);

  std::ostream& out_;
  std::uint64_t offset_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace weft
