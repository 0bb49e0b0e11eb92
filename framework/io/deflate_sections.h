// A zlib stream made of sections that are filled at the same time and stand one after the other in
// the end. Only compressed bytes are kept.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

class WEFT_API DeflateSection {
 public:
  DeflateSection();
  ~DeflateSection();
  DeflateSection(DeflateSection&&) noexcept;
  DeflateSection& operator=(DeflateSection&&) noexcept;

  void append(std::string_view bytes);
  // How many bytes were appended.
  std::uint64_t size() const;

 private:
  friend class DeflateStream;
  struct State;
  std::unique_ptr<State> state_;
};

// Joins sections and bytes in the order of the calls.
class WEFT_API DeflateStream {
 public:
  DeflateStream();
  // The section is closed and empty afterwards.
  void add(DeflateSection& section);
  void add(std::string_view bytes);
  // The whole stream with header and checksum.
  std::string finish();

 private:
  std::string bytes_;
  std::uint32_t checksum_;
};

}  // namespace weft
