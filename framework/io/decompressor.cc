#include "framework/io/decompressor.h"

#include <algorithm>
#include <bit>
#include <vector>

#include <fmt/format.h>
#include <isa-l/igzip_lib.h>
#include <lzma.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "framework/io/read_budget.h"

namespace weft {
namespace {

constexpr std::size_t kInputBytes = std::size_t{64} << 10;

// Compressed bytes as they come, and messages about them.
class Source {
 public:
  Source(InputFile& file, std::string name, Compression compression)
      : file_(file), name_(std::move(name)), compression_(compression), bytes_(kInputBytes) {}

  // The next piece; none at the end of the file.
  std::string_view next() { return {bytes_.data(), file_.read(bytes_.data(), bytes_.size())}; }

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::data, fmt::format("the {} data {}", name_of(compression_), what),
                Origin::file(std::make_shared<const std::string>(name_), 0, 0));
  }
  // Behind a whole part, the bytes that break off may be no such data at all.
  [[noreturn]] void fail_cut_off(bool behind_whole_part) const {
    fail(behind_whole_part ? "is cut off, or something else follows it" : "is cut off");
  }

  std::uint64_t memory_limit() const { return ReadBudget(name_).limit(); }

 private:
  InputFile& file_;
  std::string name_;
  Compression compression_;
  std::vector<char> bytes_;
};

// A gzip file is one or more members one behind the other, as `cat a.gz b.gz` makes them; the text
// is that of all members joined. The checksum of each is verified at its end.
class Gzip final : public Decompressor {
 public:
  explicit Gzip(Source source) : source_(std::move(source)) { begin_member(); }

  std::size_t read(char* to, std::size_t size) override {
    state_.next_out = reinterpret_cast<std::uint8_t*>(to);
    state_.avail_out = static_cast<std::uint32_t>(std::min<std::size_t>(size, 1U << 30));
    const std::uint32_t room = state_.avail_out;
    while (state_.avail_out == room && !ended_) step();
    return room - state_.avail_out;
  }

 private:
  void begin_member() {
    // The library's state is reset for the next member, but for the places in input and output.
    const std::uint32_t left = state_.avail_in;
    std::uint8_t* const at = state_.next_in;
    std::uint8_t* const out = state_.next_out;
    const std::uint32_t room = state_.avail_out;
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP;
    state_.next_in = at;
    state_.avail_in = left;
    state_.next_out = out;
    state_.avail_out = room;
    in_member_ = false;
  }

  bool refill() {
    const std::string_view piece = source_.next();
    state_.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(piece.data()));
    state_.avail_in = static_cast<std::uint32_t>(piece.size());
    return !piece.empty();
  }

  void step() {
    // The input may be used up while output is still in the library's state: only a step that has
    // no input and gives no output either means a file that is cut off.
    const bool no_more = state_.avail_in == 0 && !refill();
    if (!in_member_ && any_member_) skip_padding();
    if (no_more && !in_member_) {
      if (!any_member_) source_.fail_cut_off(false);
      ended_ = true;
      return;
    }
    if (!in_member_ && state_.avail_in == 0) return;
    in_member_ = any_member_ = true;
    const std::uint32_t before = state_.avail_out;
    const int status = isal_inflate(&state_);
    if (status == ISAL_INCORRECT_CHECKSUM) source_.fail("is damaged: its checksum is another one");
    if (status < 0 || status == ISAL_NEED_DICT) source_.fail("is damaged, or is none");
    if (state_.block_state == ISAL_BLOCK_FINISH) {
      whole_member_ = true;
      begin_member();
    } else if (no_more && state_.avail_out == before) {
      source_.fail_cut_off(whole_member_);
    }
  }

  // Tapes and disks fill the rest of a block with zeros.
  void skip_padding() {
    while (state_.avail_in > 0 && *state_.next_in == 0) {
      ++state_.next_in;
      --state_.avail_in;
    }
  }

  Source source_;
  inflate_state state_ = {};
  bool in_member_ = false;
  bool any_member_ = false;
  bool whole_member_ = false;  // one was read to its end
  bool ended_ = false;
};

class Zstd final : public Decompressor {
 public:
  explicit Zstd(Source source) : source_(std::move(source)), stream_(ZSTD_createDStream()) {
    if (!stream_) throw Error(ErrorKind::memory, "no memory for decompressing");
    // The window is the memory that a frame may ask for, as a power of two: within the budget, and
    // within the library's own bounds of 2^10 and 2^27.
    const int most = std::bit_width(source_.memory_limit()) - 1;
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, std::clamp(most, 10, 27));
  }

  std::size_t read(char* to, std::size_t size) override {
    ZSTD_outBuffer out{to, size, 0};
    while (out.pos == 0) {
      bool no_more = false;
      if (input_.pos == input_.size) {
        const std::string_view piece = source_.next();
        input_ = {piece.data(), piece.size(), 0};
        no_more = piece.empty();
      }
      if (no_more && complete_) return 0;
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &out, &input_);
      if (ZSTD_isError(status)) refuse(status);
      // Zero says that a frame is complete; the file may end only there.
      complete_ = status == 0;
      whole_frame_ |= complete_;
      if (no_more && out.pos == 0 && !complete_) source_.fail_cut_off(whole_frame_);
    }
    return out.pos;
  }

 private:
  [[noreturn]] void refuse(std::size_t status) const {
    if (ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge) {
      source_.fail("needs a larger window than the memory that reading this file may take");
    }
    source_.fail(fmt::format("is damaged, or is none ({})", ZSTD_getErrorName(status)));
  }

  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  Source source_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  bool complete_ = false;  // a frame has ended and no other begun
  bool whole_frame_ = false;
};

class Xz final : public Decompressor {
 public:
  explicit Xz(Source source) : source_(std::move(source)) {
    if (lzma_stream_decoder(&stream_, source_.memory_limit(), LZMA_CONCATENATED) != LZMA_OK) {
      throw Error(ErrorKind::memory, "no memory for decompressing");
    }
  }
  ~Xz() override { lzma_end(&stream_); }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
    stream_.avail_out = size;
    while (stream_.avail_out == size && !ended_) {
      if (stream_.avail_in == 0 && !no_more_) {
        const std::string_view piece = source_.next();
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(piece.data());
        stream_.avail_in = piece.size();
        no_more_ = piece.empty();
      }
      check(lzma_code(&stream_, no_more_ ? LZMA_FINISH : LZMA_RUN));
    }
    return size - stream_.avail_out;
  }

 private:
  void check(lzma_ret status) {
    switch (status) {
      case LZMA_OK:
        return;
      case LZMA_STREAM_END:
        ended_ = true;
        return;
      case LZMA_MEMLIMIT_ERROR:
        source_.fail("needs more memory than reading this file may take");
      case LZMA_MEM_ERROR:
        throw Error(ErrorKind::memory, "no memory for decompressing");
      case LZMA_BUF_ERROR:
        source_.fail_cut_off(true);  // the library reads part behind part without saying so
      default:
        source_.fail("is damaged, or is none");
    }
  }

  Source source_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool no_more_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<Decompressor> Decompressor::open(Compression compression, InputFile& file,
                                                 const std::string& name) {
  Source source(file, name, compression);
  if (compression == Compression::gzip) return std::make_unique<Gzip>(std::move(source));
  if (compression == Compression::zstd) return std::make_unique<Zstd>(std::move(source));
  return std::make_unique<Xz>(std::move(source));
}

}  // namespace weft
