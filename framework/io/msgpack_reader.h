// A pull reader for MessagePack. The library that packs for us wants a whole document in memory to
// unpack it; here values are taken one by one from a cursor, so that a file may be larger than
// memory and no length is believed before its bytes are there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/io/byte_cursor.h"
#include "registry/base/export.h"

namespace weft {

enum class MsgpackType { nil, boolean, integer, floating, str, bin, array, map, ext };

// Functions named read_… throw Error(data) where the next value is of another type, cut off or no
// MessagePack at all.
class WEFT_API MsgpackReader {
 public:
  // The cursor outlives the reader.
  explicit MsgpackReader(ByteCursor& cursor) : cursor_(cursor) {}

  ByteCursor& cursor() { return cursor_; }
  MsgpackType peek();

  void read_nil();
  bool read_bool();
  // Unsigned values above 2^63 - 1 wrap.
  std::int64_t read_integer();
  // Whether the next value is an integer that would.
  bool wraps();
  // Integers count as numbers.
  double read_number();
  // The view ends with the next call. Not checked for UTF-8.
  std::string_view read_str();
  // The same, checked: code that walks over characters may take it.
  std::string_view read_text();
  std::string_view read_bin();
  // Either of the two.
  std::string_view read_str_or_bin();
  // The number of bytes of a bin, which the caller takes or skips.
  std::uint32_t read_bin_size();
  // The number of values that follow; of a map, of pairs.
  std::uint32_t read_array();
  std::uint32_t read_map();

  // Over one value of any kind and depth.
  void skip_value();
  // The bytes of one value of any kind, as they are.
  std::string copy_value();

 private:
  struct Header {
    MsgpackType type = MsgpackType::nil;
    std::uint64_t size = 0;   // bytes that follow, or values
    std::uint64_t value = 0;  // of a boolean, an integer or a float (bits of a double)
    bool is_signed = true;    // of an integer
  };
  Header next(MsgpackType wanted);
  Header take_header();
  Header take_header_with_bytes(unsigned char first);
  unsigned char first_byte();
  void skip_short(std::uint64_t& pending);
  std::uint64_t big_endian(int bytes);

  ByteCursor& cursor_;
  bool peeked_ = false;
  Header header_;
  std::string* copy_ = nullptr;  // while a value is copied: where its header bytes go
};

// "a map", "text" and so on, for messages.
WEFT_API std::string_view name_of(MsgpackType type);

}  // namespace weft
