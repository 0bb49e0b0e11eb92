#include "framework/io/record_frames.h"

#include <array>
#include <bit>

#include <zlib.h>

#include "framework/io/proto_message.h"

namespace weft {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc32c_table() {
  constexpr std::uint32_t polynomial = 0x82F63B78;  // reflected
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1) != 0 ? rest >> 1 ^ polynomial : rest >> 1;
    table[byte] = rest;
  }
  return table;
}

constexpr auto kCrc32cTable = make_crc32c_table();

// Keeps a checksum from being taken over bytes that hold checksums.
std::uint32_t masked(std::uint32_t crc) {
  return std::rotr(crc, 15) + 0xa282ead8U;
}

constexpr std::size_t kBlock = 32768, kHeader = 7;

enum Fragment : unsigned char { whole = 1, first = 2, middle = 3, last = 4 };

void append_fragment(std::string& to, Fragment kind, std::string_view content) {
  const std::string checked = std::string(1, static_cast<char>(kind)) + std::string(content);
  append_bytes(
      to,
      ::crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size())),
      4);
  append_bytes(to, content.size(), 2);
  to += checked;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t rest = ~0U;
  for (const char c : bytes) {
    rest = rest >> 8 ^ kCrc32cTable[(rest ^ static_cast<unsigned char>(c)) & 0xff];
  }
  return ~rest;
}

// The length has a checksum of its own: a reader does not trust a damaged length to skip by.
std::string tf_record(std::string_view record) {
  std::string frame;
  append_bytes(frame, record.size(), 8);
  append_bytes(frame, masked(crc32c(frame)), 4);
  frame += record;
  append_bytes(frame, masked(crc32c(record)), 4);
  return frame;
}

std::string block_record(std::string_view record, std::int64_t position) {
  std::string frames;
  bool is_first = true, is_last = false;
  while (!is_last) {
    // A header never crosses the end of a block, so that a reader can go on at the next block after
    // damage. The rest of a block that has no room for a header is filled with zeros.
    std::size_t left = kBlock - (static_cast<std::size_t>(position) + frames.size()) % kBlock;
    if (left < kHeader) {
      frames.append(left, '\0');
      left = kBlock;
    }
    const std::string_view content = record.substr(0, left - kHeader);
    record.remove_prefix(content.size());
    is_last = record.empty();
    const Fragment rest = is_last ? last : middle;
    append_fragment(frames, is_first ? (is_last ? whole : first) : rest, content);
    is_first = false;
  }
  return frames;
}

}  // namespace weft
