#include "framework/io/inflate_cursor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include "registry/error.h"

namespace weft {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10;

// An open file that several cursors read, each at its own place.
class File {
 public:
  explicit File(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) fail(path);
  }
  ~File() { ::close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::size_t read(unsigned char* to, std::size_t size, off_t offset,
                   const std::string& path) const {
    ssize_t got;
    do got = ::pread(fd_, to, size, offset);
    while (got < 0 && errno == EINTR);
    if (got < 0) fail(path);
    return static_cast<std::size_t>(got);
  }

 private:
  [[noreturn]] static void fail(const std::string& path) {
    throw Error(ErrorKind::system, "cannot read " + path + ": " + std::strerror(errno));
  }

  int fd_;
};

}  // namespace

class InflateCursor::Inflater {
 public:
  Inflater(const ByteCursor& owner, std::shared_ptr<const File> file)
      : name_(owner.name()), file_(std::move(file)) {
    if (inflateInit(&stream_) != Z_OK) throw Error(ErrorKind::memory, "no memory for inflating");
  }
  Inflater(const Inflater& other)
      : name_(other.name_), file_(other.file_), input_(other.input_), read_(other.read_) {
    if (inflateCopy(&stream_, const_cast<z_stream*>(&other.stream_)) != Z_OK) {
      throw Error(ErrorKind::memory, "no memory for inflating");
    }
    // The copy's input pointer still points into the other's buffer.
    if (stream_.next_in != nullptr) {
      stream_.next_in = input_.data() + (other.stream_.next_in - other.input_.data());
    }
  }
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Fills `out` as far as there is data; gives the number of bytes and sets `ended` at the end.
  std::size_t inflate_into(char* out, std::size_t size, bool& ended, const ByteCursor& owner) {
    stream_.next_out = reinterpret_cast<unsigned char*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    int status = Z_OK;
    while (status == Z_OK && stream_.avail_out > 0) {
      if (stream_.avail_in == 0) refill();
      if (stream_.avail_in == 0) owner.fail("the compressed data is cut off");
      status = ::inflate(&stream_, Z_NO_FLUSH);
    }
    ended = status == Z_STREAM_END;
    if (status == Z_OK || ended) return size - stream_.avail_out;
    if (status == Z_MEM_ERROR) throw Error(ErrorKind::memory, "no memory for inflating " + name_);
    const std::string reason = stream_.msg != nullptr ? stream_.msg : "unusable header";
    owner.fail("the compressed data is damaged (zlib: " + reason + ")");
  }

 private:
  void refill() {
    const std::size_t got = file_->read(input_.data(), input_.size(), read_, name_);
    stream_.next_in = input_.data();
    stream_.avail_in = static_cast<uInt>(got);
    read_ += static_cast<off_t>(got);
  }

  std::string name_;
  std::shared_ptr<const File> file_;
  z_stream stream_ = {};
  std::array<unsigned char, std::size_t{64} << 10> input_;
  off_t read_ = 0;  // bytes of the file that went through `input_`
};

struct InflateCursor::Chunk {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;
  std::shared_ptr<Chunk> next;  // only where all of the stream is linked
};

struct InflateCursor::Sequence {
  std::size_t limit;
  std::size_t size = 0;
  std::shared_ptr<Chunk> begin;
  bool linking = true;    // the stream may still turn out to be small
  bool complete = false;  // every chunk is linked

  // The stream is too large: every cursor is on its own.
  void unlink() {
    linking = false;
    for (std::shared_ptr<Chunk> chunk = std::move(begin); chunk;) chunk = std::move(chunk->next);
  }
};

InflateCursor::InflateCursor(const std::string& path, std::size_t resident)
    : ByteCursor(path),
      chunk_(std::make_shared<Chunk>()),
      sequence_(std::make_shared<Sequence>()),
      rest_(std::make_unique<Inflater>(*this, std::make_shared<const File>(path))) {
  sequence_->limit = resident;
  sequence_->begin = chunk_;
  next_chunk();
}

InflateCursor::~InflateCursor() = default;

InflateCursor::InflateCursor(const InflateCursor& other)
    : ByteCursor(other),
      chunk_(other.chunk_),
      sequence_(other.sequence_),
      first_(false),
      chunk_start_(other.chunk_start_),
      offset_(other.offset_),
      rest_(other.rest_ ? std::make_unique<Inflater>(*other.rest_) : nullptr) {}

InflateCursor& InflateCursor::operator=(const InflateCursor& other) {
  if (this == &other) return *this;
  ByteCursor::operator=(other);
  chunk_ = other.chunk_;
  sequence_ = other.sequence_;
  first_ = false;
  chunk_start_ = other.chunk_start_;
  offset_ = other.offset_;
  rest_ = other.rest_ ? std::make_unique<Inflater>(*other.rest_) : nullptr;
  return *this;
}

std::string_view InflateCursor::here() const {
  return std::string_view(chunk_->bytes.get(), chunk_->size).substr(offset_);
}

bool InflateCursor::next_chunk() {
  if (!sequence_->complete) return rest_ && inflate_chunk();
  if (!chunk_->next) return false;
  chunk_start_ += chunk_->size;
  offset_ = 0;
  chunk_ = chunk_->next;
  return true;
}

bool InflateCursor::inflate_chunk() {
  const bool link = first_ && sequence_->linking;
  chunk_start_ += chunk_->size;
  offset_ = 0;
  std::shared_ptr<Chunk> chunk = chunk_;
  if (link || chunk_.use_count() > 2) {  // else nobody sees the old bytes any more
    chunk = std::make_shared<Chunk>();
    chunk->bytes = std::make_unique_for_overwrite<char[]>(kChunk);
    if (link) chunk_->next = chunk;
    chunk_ = chunk;
  }
  bool ended = false;
  chunk->size = 0;
  chunk->size = rest_->inflate_into(chunk->bytes.get(), kChunk, ended, *this);
  if (ended) rest_.reset();
  if (link) {
    sequence_->size += chunk->size;
    if (sequence_->size > sequence_->limit) {
      sequence_->unlink();
    } else if (ended) {
      sequence_->complete = true;
      sequence_->begin.reset();
    }
  }
  return chunk->size > 0;
}

void InflateCursor::fail_at_end(std::uint64_t missing) const {
  fail("the data ends " + std::to_string(missing) + " bytes too early");
}

std::string_view InflateCursor::take(std::uint64_t size) {
  const std::string_view rest = here();
  if (size <= rest.size()) {
    offset_ += size;
    return rest.substr(0, size);
  }
  assembled_.assign(rest);
  while (assembled_.size() < size) {
    if (!next_chunk()) fail_at_end(size - assembled_.size());
    offset_ = std::min<std::uint64_t>(size - assembled_.size(), chunk_->size);
    assembled_.append(chunk_->bytes.get(), offset_);
  }
  return assembled_;
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
