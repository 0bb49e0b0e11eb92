// Readers of the binary logs, written from the descriptions of the formats and not from the code
// that writes them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace weft::testing_logs {

inline std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// A field of a message: a number, or bytes.
struct Field {
  int number = 0;
  std::uint64_t integer = 0;
  std::string bytes = {};
  int wire = 0;

  double as_double() const { return std::bit_cast<double>(integer); }
  float as_float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(integer)); }
};

class Decoded {
 public:
  explicit Decoded(std::string_view message) {
    while (!message.empty()) {
      const std::uint64_t tag = varint(message);
      Field field{.number = static_cast<int>(tag >> 3), .wire = static_cast<int>(tag & 7)};
      if (field.wire == 0) field.integer = varint(message);
      if (field.wire == 1) field.integer = little_endian(taken(message, 8));
      if (field.wire == 5) field.integer = little_endian(taken(message, 4));
      if (field.wire == 2) field.bytes = taken(message, varint(message));
      fields_.push_back(std::move(field));
    }
  }

  std::vector<Field> all(int number) const {
    std::vector<Field> found;
    for (const Field& field : fields_) {
      if (field.number == number) found.push_back(field);
    }
    return found;
  }
  bool has(int number) const { return !all(number).empty(); }
  Field one(int number) const {
    const auto found = all(number);
    EXPECT_EQ(found.size(), 1U) << "field " << number;
    return found.empty() ? Field() : found.front();
  }
  Decoded message(int number) const { return Decoded(one(number).bytes); }
  std::vector<Decoded> messages(int number) const {
    std::vector<Decoded> found;
    for (const Field& field : all(number)) found.emplace_back(field.bytes);
    return found;
  }

 private:
  static std::string taken(std::string_view& from, std::uint64_t length) {
    EXPECT_LE(length, from.size());
    const std::string bytes(from.substr(0, length));
    from.remove_prefix(bytes.size());
    return bytes;
  }
  static std::uint64_t varint(std::string_view& from) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<std::uint64_t>(little_endian(taken(from, 1)));
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }

  std::vector<Field> fields_;
};

// Bit by bit.
inline std::uint32_t slow_crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = (crc & 1) != 0 ? crc >> 1 ^ 0x82F63B78U : crc >> 1;
  }
  return ~crc;
}

inline std::uint32_t masked(std::uint32_t crc) {
  return (crc >> 15 | crc << 17) + 0xa282ead8U;
}

// The records of a TFRecord file; every checksum has to be right.
inline std::vector<Decoded> events_in(std::string_view file) {
  std::vector<Decoded> events;
  while (!file.empty()) {
    const std::uint64_t length = little_endian(file.substr(0, 8));
    EXPECT_EQ(little_endian(file.substr(8, 4)), masked(slow_crc32c(file.substr(0, 8))));
    const std::string_view record = file.substr(12, length);
    EXPECT_EQ(little_endian(file.substr(12 + length, 4)), masked(slow_crc32c(record)));
    events.emplace_back(record);
    file.remove_prefix(length + 16);
  }
  return events;
}

// The records of a W&B file, whose fragments lie in blocks of 32768 bytes.
inline std::vector<Decoded> wandb_records_in(std::string_view file) {
  std::vector<Decoded> records;
  EXPECT_EQ(file.substr(0, 7), std::string_view(":W&B\xe1\xbe\0", 7));
  std::optional<std::string> open;
  for (std::size_t at = 7; at < file.size();) {
    const std::size_t left = 32768 - at % 32768;
    if (left < 7) {
      EXPECT_EQ(file.substr(at, left), std::string(left, '\0'));
      at += left;
      continue;
    }
    const std::uint64_t size = little_endian(file.substr(at + 4, 2));
    const int kind = static_cast<unsigned char>(file[at + 6]);
    EXPECT_LE(size + 7, left) << "a fragment crosses a block";
    const std::string_view checked = file.substr(at + 6, size + 1);
    EXPECT_EQ(little_endian(file.substr(at, 4)),
              ::crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                      static_cast<uInt>(checked.size())));
    EXPECT_EQ(open.has_value(), kind == 3 || kind == 4);
    if (!open) open = "";
    *open += checked.substr(1);
    if (kind == 1 || kind == 4) records.emplace_back(*std::exchange(open, std::nullopt));
    at += 7 + size;
  }
  EXPECT_FALSE(open);
  return records;
}

}  // namespace weft::testing_logs
