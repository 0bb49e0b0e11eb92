#include "framework/io/proto_message.h"

#include <bit>
#include <cmath>
#include <limits>

namespace weft {
namespace {

constexpr int kVarint = 0, kEightBytes = 1, kLength = 2, kFourBytes = 5;

// A conversion that is out of range is undefined in C++.
float to_float(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  if (std::isnan(value)) return std::numeric_limits<float>::quiet_NaN();
  if (value > most) return std::numeric_limits<float>::infinity();
  if (value < -most) return -std::numeric_limits<float>::infinity();
  return static_cast<float>(value);
}

}  // namespace

void append_bytes(std::string& to, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
}

void ProtoMessage::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
  bytes_ += static_cast<char>(value);
}

void ProtoMessage::tag(int field, int wire_type) {
  varint(static_cast<std::uint64_t>(field) << 3 | static_cast<unsigned>(wire_type));
}

ProtoMessage& ProtoMessage::integer(int field, std::int64_t value) {
  tag(field, kVarint);
  varint(static_cast<std::uint64_t>(value));
  return *this;
}

ProtoMessage& ProtoMessage::number(int field, double value) {
  tag(field, kEightBytes);
  append_bytes(bytes_, std::bit_cast<std::uint64_t>(value), 8);
  return *this;
}

ProtoMessage& ProtoMessage::single(int field, double value) {
  tag(field, kFourBytes);
  append_bytes(bytes_, std::bit_cast<std::uint32_t>(to_float(value)), 4);
  return *this;
}

ProtoMessage& ProtoMessage::text(int field, std::string_view value) {
  tag(field, kLength);
  varint(value.size());
  bytes_ += value;
  return *this;
}

}  // namespace weft
