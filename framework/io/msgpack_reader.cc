#include "framework/io/msgpack_reader.h"

#include <bit>

#include "registry/base/unicode.h"

namespace weft {

std::string_view name_of(MsgpackType type) {
  switch (type) {
    case MsgpackType::nil:
      return "nothing";
    case MsgpackType::boolean:
      return "a boolean";
    case MsgpackType::integer:
      return "an integer";
    case MsgpackType::floating:
      return "a float";
    case MsgpackType::str:
      return "text";
    case MsgpackType::bin:
      return "bytes";
    case MsgpackType::array:
      return "a list";
    case MsgpackType::map:
      return "a map";
    case MsgpackType::ext:
      return "an extension";
  }
  return "?";
}

// Every byte of a header passes here, so this is where a copy of a value takes them along.
std::uint64_t MsgpackReader::big_endian(int bytes) {
  const std::string_view taken = cursor_.take(static_cast<std::uint64_t>(bytes));
  if (copy_ != nullptr) *copy_ += taken;
  std::uint64_t value = 0;
  for (const char c : taken) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

unsigned char MsgpackReader::first_byte() {
  return static_cast<unsigned char>(big_endian(1));
}

MsgpackReader::Header MsgpackReader::take_header() {
  const unsigned char first = first_byte();
  // Small values are a single byte, whose range says the type and whose low bits the value or the
  // size. Source: the MessagePack specification, "Formats".
  if (first <= 0x7F) return {MsgpackType::integer, 0, first};
  if (first <= 0x8F) return {MsgpackType::map, first & 0x0Fu};
  if (first <= 0x9F) return {MsgpackType::array, first & 0x0Fu};
  if (first <= 0xBF) return {MsgpackType::str, first & 0x1Fu};
  if (first >= 0xE0) {
    return {MsgpackType::integer, 0, static_cast<std::uint64_t>(static_cast<std::int8_t>(first))};
  }
  if (first == 0xC0) return {MsgpackType::nil};
  if (first == 0xC2 || first == 0xC3) return {MsgpackType::boolean, 0, first & 1u};
  return take_header_with_bytes(first);
}

MsgpackReader::Header MsgpackReader::take_header_with_bytes(unsigned char first) {
  const auto sign_extended = [&](int bytes) {
    // Moved up to the sign bit and back, so that the sign fills the upper bytes.
    const int shift = 64 - 8 * bytes;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(big_endian(bytes) << shift) >>
                                      shift);
  };
  switch (first) {
    case 0xC4:
      return {MsgpackType::bin, big_endian(1)};
    case 0xC5:
      return {MsgpackType::bin, big_endian(2)};
    case 0xC6:
      return {MsgpackType::bin, big_endian(4)};
    // An extension's size leaves out the byte that names its type.
    case 0xC7:
      return {MsgpackType::ext, big_endian(1) + 1};
    case 0xC8:
      return {MsgpackType::ext, big_endian(2) + 1};
    case 0xC9:
      return {MsgpackType::ext, big_endian(4) + 1};
    case 0xCA: {
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(big_endian(4)));
      return {MsgpackType::floating, 0, std::bit_cast<std::uint64_t>(static_cast<double>(value))};
    }
    case 0xCB:
      return {MsgpackType::floating, 0, big_endian(8)};
    case 0xCC:
    case 0xCD:
    case 0xCE:
    case 0xCF:
      return {MsgpackType::integer, 0, big_endian(1 << (first - 0xCC)), false};
    case 0xD0:
    case 0xD1:
    case 0xD2:
    case 0xD3:
      return {MsgpackType::integer, 0, sign_extended(1 << (first - 0xD0))};
    case 0xD4:
    case 0xD5:
    case 0xD6:
    case 0xD7:
    case 0xD8:
      return {MsgpackType::ext, (1u << (first - 0xD4)) + 1};
    case 0xD9:
      return {MsgpackType::str, big_endian(1)};
    case 0xDA:
      return {MsgpackType::str, big_endian(2)};
    case 0xDB:
      return {MsgpackType::str, big_endian(4)};
    case 0xDC:
      return {MsgpackType::array, big_endian(2)};
    case 0xDD:
      return {MsgpackType::array, big_endian(4)};
    case 0xDE:
      return {MsgpackType::map, big_endian(2)};
    case 0xDF:
      return {MsgpackType::map, big_endian(4)};
      // 0xC1, which the specification leaves unused.
    default:
      cursor_.fail("a byte that begins no MessagePack value");
  }
}

MsgpackType MsgpackReader::peek() {
  if (!peeked_) header_ = take_header();
  peeked_ = true;
  return header_.type;
}

// A header that was looked at stays at hand until somebody takes it, so `peek` costs no byte.
MsgpackReader::Header MsgpackReader::next(MsgpackType wanted) {
  if (peek() != wanted) {
    cursor_.fail("expected " + std::string(name_of(wanted)) + ", found " +
                 std::string(name_of(header_.type)));
  }
  peeked_ = false;
  return header_;
}

void MsgpackReader::read_nil() {
  next(MsgpackType::nil);
}

bool MsgpackReader::read_bool() {
  return next(MsgpackType::boolean).value != 0;
}

std::int64_t MsgpackReader::read_integer() {
  return static_cast<std::int64_t>(next(MsgpackType::integer).value);
}

bool MsgpackReader::wraps() {
  return peek() == MsgpackType::integer && !header_.is_signed && header_.value > INT64_MAX;
}

double MsgpackReader::read_number() {
  if (peek() == MsgpackType::integer) return static_cast<double>(read_integer());
  return std::bit_cast<double>(next(MsgpackType::floating).value);
}

std::string_view MsgpackReader::read_str() {
  return cursor_.take(next(MsgpackType::str).size);
}

std::string_view MsgpackReader::read_text() {
  const std::string_view text = read_str();
  if (find_invalid_utf8(text)) cursor_.fail("a text that is not valid UTF-8");
  return text;
}

std::string_view MsgpackReader::read_bin() {
  return cursor_.take(next(MsgpackType::bin).size);
}

std::string_view MsgpackReader::read_str_or_bin() {
  return peek() == MsgpackType::bin ? read_bin() : read_str();
}

std::uint32_t MsgpackReader::read_bin_size() {
  return static_cast<std::uint32_t>(next(MsgpackType::bin).size);
}

std::uint32_t MsgpackReader::read_array() {
  return static_cast<std::uint32_t>(next(MsgpackType::array).size);
}

std::uint32_t MsgpackReader::read_map() {
  return static_cast<std::uint32_t>(next(MsgpackType::map).size);
}

// Over those of the `pending` values that one byte begins, as far as they are at hand: a file can
// be inflated to a billion of them.
void MsgpackReader::skip_short(std::uint64_t& pending) {
  const std::string_view bytes = cursor_.at_hand();
  std::size_t at = 0;
  for (; pending > 0 && at < bytes.size(); ++at) {
    const std::uint64_t first = static_cast<unsigned char>(bytes[at]);
    const bool alone = first <= 0x7F || first >= 0xE0 || first == 0xC0 || (first & 0xFE) == 0xC2;
    if (alone) {
      --pending;
    } else if (first <= 0x8F) {
      pending += 2 * (first & 0x0F) - 1;
    } else if (first <= 0x9F) {
      pending += (first & 0x0F) - 1;
      // A short text that lies here as a whole; one that is cut is left to the slower way.
    } else if (first <= 0xBF && (first & 0x1F) < bytes.size() - at) {
      at += first & 0x1F;
      --pending;
    } else {
      break;
    }
  }
  cursor_.skip(at);
}

// Counts the values that are still to come instead of calling itself: nesting costs no stack.
void MsgpackReader::skip_value() {
  std::uint64_t pending = 1;
  while (pending > 0) {
    if (!peeked_ && copy_ == nullptr) {
      skip_short(pending);
      if (pending == 0) return;
    }
    const Header header = next(peek());
    --pending;
    switch (header.type) {
      case MsgpackType::array:
        pending += header.size;
        break;
      case MsgpackType::map:
        pending += 2 * header.size;
        break;
      case MsgpackType::str:
      case MsgpackType::bin:
      case MsgpackType::ext:
        if (copy_ != nullptr) {
          *copy_ += cursor_.take(header.size);
        } else {
          cursor_.skip(header.size);
        }
        break;
      default:
        break;
    }
  }
}

// Copied as it stands and not packed anew: the same number has several forms, and the bytes of the
// user's data should stay the same.
std::string MsgpackReader::copy_value() {
  std::string copy;
  // Its first byte is taken already, and would be missing in the copy.
  if (peeked_) cursor_.fail("a value was looked at before it was copied");
  copy_ = &copy;
  skip_value();
  copy_ = nullptr;
  return copy;
}

}  // namespace weft
