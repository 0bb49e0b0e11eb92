// Writes MessagePack into a string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Each function appends one value; the values of an array and the pairs of a map follow it. Throws
// Error(data) for text or bytes of 4 GiB and more.
class WEFT_API MsgpackWriter {
 public:
  void nil();
  void boolean(bool value);
  void integer(std::int64_t value);
  void unsigned_integer(std::uint64_t value);
  void number(double value);
  void str(std::string_view text);
  void bin(std::string_view bytes);
  // Only the head; the bytes come from elsewhere.
  void bin_size(std::uint64_t size);
  void array(std::uint32_t size);
  void map(std::uint32_t pairs);
  // Takes memory for so many bytes at once: a long value that grows by pieces is copied again and
  // again, and for a time lies there two and a half times.
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  // A value that is packed already.
  void packed(std::string_view value) { bytes_ += value; }

  const std::string& bytes() const { return bytes_; }
  // The bytes so far; the writer is empty afterwards.
  std::string take();

 private:
  std::string bytes_;
};

}  // namespace weft
