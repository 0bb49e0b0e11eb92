#include "tests/tools/hostile/inflating_file.h"

#include <algorithm>
#include <stdexcept>

#include <zlib.h>

namespace weft::testing_tools {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

// Raw deflate that ends on a whole byte and refers to nothing before it.
std::string deflated(const std::string& block) {
  z_stream stream = {};
  if (deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("no memory for compressing");
  }
  std::string result;
  result.resize(deflateBound(&stream, block.size()) + 64);
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(block.data()));
  stream.avail_in = static_cast<uInt>(block.size());
  stream.next_out = reinterpret_cast<unsigned char*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FULL_FLUSH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

}  // namespace

void InflatingFile::add_block(const std::string& block, std::uint64_t times) {
  if (block.empty() || times == 0) return;
  const std::string small = deflated(block);
  const auto checksum = static_cast<std::uint32_t>(
      adler32_z(1, reinterpret_cast<const unsigned char*>(block.data()), block.size()));
  for (std::uint64_t i = 0; i < times; ++i) {
    deflated_ += small;
    checksum_ = static_cast<std::uint32_t>(
        adler32_combine(checksum_, checksum, static_cast<z_off_t>(block.size())));
  }
}

void InflatingFile::add_times(std::string_view bytes, std::uint64_t times) {
  if (bytes.empty()) return;
  const std::uint64_t in_block =
      std::min<std::uint64_t>(times, std::max<std::uint64_t>(1, kBlock / bytes.size()));
  std::string block;
  if (in_block == 0) return;
  for (std::uint64_t i = 0; i < in_block; ++i) block += bytes;
  add_block(block, times / in_block);
  add_block(block.substr(0, times % in_block * bytes.size()), 1);
}

std::string InflatingFile::bytes() const {
  std::string whole = "\x78\xda" + deflated_ + std::string("\x03\x00", 2);
  for (int shift = 24; shift >= 0; shift -= 8) {
    whole += static_cast<char>(checksum_ >> shift & 0xFF);
  }
  return whole;
}

}  // namespace weft::testing_tools
