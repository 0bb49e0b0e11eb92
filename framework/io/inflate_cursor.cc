#include "framework/io/inflate_cursor.h"

#include <algorithm>
#include <array>

#include <isa-l/igzip_lib.h>

#include "framework/io/read_budget.h"
#include "registry/base/input_file.h"

namespace weft {
namespace {

constexpr std::size_t kChunk = std::size_t{128} << 10;
// Room for larger pieces is given back with the next one.
constexpr std::size_t kMostRetained = std::size_t{8} << 20;

}  // namespace

// ISA-L's inflate: two to three times as fast as zlib's, and all of its state is one plain struct.
class InflateCursor::Inflater {
 public:
  explicit Inflater(std::shared_ptr<const InputFile> file) : file_(std::move(file)) {
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_ZLIB;
    state_.next_in = input_.data();
  }
  Inflater(const Inflater& other)
      : file_(other.file_), state_(other.state_), input_(other.input_), read_(other.read_) {
    // The copy's input pointer still points into the other's buffer.
    state_.next_in = input_.data() + (other.state_.next_in - other.input_.data());
  }
  Inflater& operator=(const Inflater&) = delete;

  void leave_out_checksum() { state_.crc_flag = ISAL_DEFLATE; }

  // Fills `out` as far as there is data; gives the number of bytes and sets `ended` at the end.
  std::size_t inflate_into(char* out, std::size_t size, bool& ended, const ByteCursor& owner) {
    state_.next_out = reinterpret_cast<std::uint8_t*>(out);
    state_.avail_out = static_cast<std::uint32_t>(size);
    while (state_.avail_out > 0 && state_.block_state != ISAL_BLOCK_FINISH) {
      if (state_.avail_in == 0) refill();
      const bool no_more = state_.avail_in == 0;  // of the file; some may be on its way through
      const std::uint32_t room = state_.avail_out;
      const int status = isal_inflate(&state_);
      if (status < 0 || status == ISAL_NEED_DICT) owner.fail(reason_of(status));
      const bool stuck = state_.avail_out == room && state_.block_state != ISAL_BLOCK_FINISH;
      if (no_more && stuck) {
        owner.fail(read_ == 0 ? "the file is empty" : "the compressed data is cut off");
      }
    }
    ended = state_.block_state == ISAL_BLOCK_FINISH;
    return size - state_.avail_out;
  }

 private:
  static std::string reason_of(int status) {
    const auto damaged = [](std::string_view how) {
      return "the compressed data is damaged (" + std::string(how) + ")";
    };
    switch (status) {
      case ISAL_INVALID_BLOCK:
        return damaged("a block that cannot be read");
      case ISAL_INVALID_SYMBOL:
        return damaged("a code that stands for nothing");
      case ISAL_INVALID_LOOKBACK:
        return damaged("a reference to before its beginning");
      case ISAL_INCORRECT_CHECKSUM:
        return damaged("its checksum is another one");
      default:
        return "this is no zlib data, as .spacy files are; `weft convert` makes them of other "
               "formats";
    }
  }

  void refill() {
    const std::size_t got =
        file_->read_at(reinterpret_cast<char*>(input_.data()), input_.size(), read_);
    state_.next_in = input_.data();
    state_.avail_in = static_cast<std::uint32_t>(got);
    read_ += got;
  }

  std::shared_ptr<const InputFile> file_;  // which several cursors read, each at its own place
  inflate_state state_ = {};
  std::array<std::uint8_t, std::size_t{32} << 10> input_;
  std::uint64_t read_ = 0;  // bytes of the file that went through `input_`
};

struct InflateCursor::Chunk {
  std::size_t size = 0;
  std::array<char, kChunk> bytes;
};

InflateCursor::InflateCursor(const std::string& path)
    : ByteCursor(path),
      chunk_(std::make_shared_for_overwrite<Chunk>()),
      rest_(std::make_unique<Inflater>(std::make_shared<const InputFile>(path))),
      file_size_(size_of_file(path)) {
  next_chunk();
}

InflateCursor::~InflateCursor() = default;

InflateCursor::InflateCursor(const InflateCursor& other)
    : ByteCursor(other),
      chunk_(other.chunk_),
      chunk_start_(other.chunk_start_),
      offset_(other.offset_),
      rest_(other.rest_ ? std::make_unique<Inflater>(*other.rest_) : nullptr),
      file_size_(other.file_size_) {
  if (rest_) rest_->leave_out_checksum();
}

InflateCursor& InflateCursor::operator=(const InflateCursor& other) {
  if (this == &other) return *this;
  ByteCursor::operator=(other);
  chunk_ = other.chunk_;
  chunk_start_ = other.chunk_start_;
  offset_ = other.offset_;
  rest_ = other.rest_ ? std::make_unique<Inflater>(*other.rest_) : nullptr;
  if (rest_) rest_->leave_out_checksum();
  file_size_ = other.file_size_;
  return *this;
}

std::string_view InflateCursor::here() const {
  return std::string_view(chunk_->bytes.data(), chunk_->size).substr(offset_);
}

// A chunk that a copy still reads is left to it; else its memory is used again.
bool InflateCursor::next_chunk() {
  if (!rest_) return false;
  chunk_start_ += chunk_->size;
  offset_ = 0;
  if (chunk_.use_count() > 1) chunk_ = std::make_shared_for_overwrite<Chunk>();
  bool ended = false;
  chunk_->size = 0;
  chunk_->size = rest_->inflate_into(chunk_->bytes.data(), kChunk, ended, *this);
  if (ended) rest_.reset();
  return chunk_->size > 0;
}

void InflateCursor::fail_at_end(std::uint64_t missing) const {
  fail("the data ends " + std::to_string(missing) + " bytes too early");
}

// Bytes that lie in one chunk are shown where they are; others are put together in a string of the
// cursor. Either way the view holds until the cursor moves on.
std::string_view InflateCursor::take(std::uint64_t size) {
  const std::string_view rest = here();
  if (size <= rest.size()) {
    offset_ += size;
    return rest.substr(0, size);
  }
  assemble(size);
  return assembled_;
}

// Reserving costs nothing before bytes arrive, and spares the copies of a growing string.
void InflateCursor::assemble(std::uint64_t size) {
  if (assembled_.capacity() > kMostRetained && size < kMostRetained) std::string().swap(assembled_);
  if (size > assembled_.capacity()) {
    ReadBudget(name(), file_size_).charge(2 * size, "one text or array");
    std::string().swap(assembled_);  // its bytes need not be copied
    assembled_.reserve(size);
  }
  assembled_.assign(here());
  while (assembled_.size() < size) {
    if (!next_chunk()) fail_at_end(size - assembled_.size());
    offset_ = std::min<std::uint64_t>(size - assembled_.size(), chunk_->size);
    assembled_.append(chunk_->bytes.data(), offset_);
  }
}

void InflateCursor::skip(std::uint64_t size) {
  while (size > chunk_->size - offset_) {
    size -= chunk_->size - offset_;
    if (!next_chunk()) fail_at_end(size);
  }
  offset_ += size;
}

bool InflateCursor::at_end() {
  while (offset_ == chunk_->size) {
    if (!next_chunk()) return true;
  }
  return false;
}

}  // namespace weft
