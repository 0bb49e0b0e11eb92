#include "framework/io/msgpack_writer.h"

#include <bit>
#include <limits>
#include <utility>

#include <msgpack/pack.hpp>

#include "registry/base/error.h"

namespace weft {
namespace {

// The packing library writes to anything with this function: here straight to the string.
struct Sink {
  std::string& bytes;
  void write(const char* data, std::size_t size) { bytes.append(data, size); }
};

template <typename Pack>
void pack(std::string& bytes, Pack write) {
  Sink sink{bytes};
  msgpack::packer<Sink> packer(sink);
  write(packer);
}

std::uint32_t checked(std::uint64_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorKind::data, "MessagePack holds no text or bytes of 4 GiB and more");
  }
  return static_cast<std::uint32_t>(size);
}

}  // namespace

void MsgpackWriter::nil() {
  pack(bytes_, [](auto& packer) { packer.pack_nil(); });
}

void MsgpackWriter::boolean(bool value) {
  pack(bytes_, [&](auto& packer) { value ? packer.pack_true() : packer.pack_false(); });
}

void MsgpackWriter::integer(std::int64_t value) {
  pack(bytes_, [&](auto& packer) { packer.pack_int64(value); });
}

void MsgpackWriter::unsigned_integer(std::uint64_t value) {
  pack(bytes_, [&](auto& packer) { packer.pack_uint64(value); });
}

void MsgpackWriter::number(double value) {
  // By hand: the library turns 1.0 into the integer 1, and readers tell them apart.
  const auto bits = std::bit_cast<std::uint64_t>(value);
  bytes_ += '\xCB';
  for (int shift = 56; shift >= 0; shift -= 8) bytes_ += static_cast<char>(bits >> shift & 0xFF);
}

void MsgpackWriter::str(std::string_view text) {
  const std::uint32_t size = checked(text.size());
  pack(bytes_, [&](auto& packer) { packer.pack_str(size).pack_str_body(text.data(), size); });
}

void MsgpackWriter::bin(std::string_view bytes) {
  bin_size(bytes.size());
  bytes_ += bytes;
}

void MsgpackWriter::bin_size(std::uint64_t size) {
  pack(bytes_, [&](auto& packer) { packer.pack_bin(checked(size)); });
}

void MsgpackWriter::array(std::uint32_t size) {
  pack(bytes_, [&](auto& packer) { packer.pack_array(size); });
}

void MsgpackWriter::map(std::uint32_t pairs) {
  pack(bytes_, [&](auto& packer) { packer.pack_map(pairs); });
}

std::string MsgpackWriter::take() {
  return std::exchange(bytes_, {});
}

}  // namespace weft
