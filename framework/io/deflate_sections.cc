#include "framework/io/deflate_sections.h"

#include <algorithm>
#include <utility>

#include <zlib.h>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr int kLevel = 6;
// Raw deflate: header and checksum of the whole are written once, around all sections.
constexpr int kRawWindow = -15;
constexpr std::size_t kStep = std::size_t{64} << 10;

}  // namespace

struct DeflateSection::State {
  State() {
    if (deflateInit2(&stream, kLevel, Z_DEFLATED, kRawWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error(ErrorKind::memory, "no memory for compressing");
    }
  }
  ~State() { deflateEnd(&stream); }

  void run(std::string_view bytes, int flush) {
    stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    do {
      const std::size_t before = compressed.size();
      compressed.resize(before + kStep);
      stream.next_out = reinterpret_cast<unsigned char*>(compressed.data()) + before;
      stream.avail_out = kStep;
      deflate(&stream, flush);
      compressed.resize(compressed.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }

  z_stream stream = {};
  std::string pending;  // not given to zlib yet: it works best on pieces of some size
  std::string compressed;
  std::uint32_t checksum = static_cast<std::uint32_t>(adler32(0, nullptr, 0));
  std::uint64_t size = 0;
};

DeflateSection::DeflateSection() : state_(std::make_unique<State>()) {}
DeflateSection::~DeflateSection() = default;
DeflateSection::DeflateSection(DeflateSection&&) noexcept = default;
DeflateSection& DeflateSection::operator=(DeflateSection&&) noexcept = default;

std::uint64_t DeflateSection::size() const {
  return state_->size;
}

// Bytes gather to pieces of some size; the checksum is taken as they come, for they are gone after.
void DeflateSection::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kStep);
    bytes.remove_prefix(part.size());
    state_->checksum = static_cast<std::uint32_t>(adler32_z(
        state_->checksum, reinterpret_cast<const unsigned char*>(part.data()), part.size()));
    state_->size += part.size();
    state_->pending += part;
    if (state_->pending.size() < kStep) continue;
    state_->run(state_->pending, Z_NO_FLUSH);
    state_->pending.clear();
  }
}

DeflateStream::DeflateStream()
    : bytes_("\x78\x9c"), checksum_(static_cast<std::uint32_t>(adler32(0, nullptr, 0))) {}

void DeflateStream::add(DeflateSection& section) {
  DeflateSection closed = std::exchange(section, DeflateSection());
  // A full flush ends on a whole byte and lets nothing behind it refer back, so that sections can
  // be joined as they are.
  closed.state_->run(closed.state_->pending, Z_FULL_FLUSH);
  bytes_ += closed.state_->compressed;
  checksum_ = static_cast<std::uint32_t>(
      adler32_combine(checksum_, closed.state_->checksum, static_cast<z_off_t>(closed.size())));
}

void DeflateStream::add(std::string_view bytes) {
  DeflateSection section;
  section.append(bytes);
  add(section);
}

std::string DeflateStream::finish() {
  bytes_ += std::string_view("\x03\x00", 2);  // an empty last block
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes_ += static_cast<char>(checksum_ >> shift & 0xFF);
  return std::move(bytes_);
}

}  // namespace weft
