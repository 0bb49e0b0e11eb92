// Protocol buffers as bytes: a message is written field by field, by the numbers that its
// definition gives them. A dozen messages of two file formats do not need the library, its compiler
// and their versions; the wire format itself has not changed since 2008.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

class WEFT_API ProtoMessage {
 public:
  // int32, int64, bool and enumerations. Zero is written too: some readers ask whether it is there.
  ProtoMessage& integer(int field, std::int64_t value);
  ProtoMessage& number(int field, double value);  // double
  ProtoMessage& single(int field, double value);  // float; beyond its range an infinity
  // string, bytes. The text of a string field has to be valid UTF-8, or readers refuse the message.
  ProtoMessage& text(int field, std::string_view value);
  ProtoMessage& message(int field, const ProtoMessage& value) { return text(field, value.bytes_); }

  const std::string& bytes() const { return bytes_; }

 private:
  void tag(int field, int wire_type);
  void varint(std::uint64_t value);

  std::string bytes_;
};

// The number in little-endian order.
WEFT_API void append_bytes(std::string& to, std::uint64_t value, int bytes);

}  // namespace weft
