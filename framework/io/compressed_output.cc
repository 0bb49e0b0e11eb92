#include "framework/io/compressed_output.h"

#include <cstdint>
#include <string>

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t kStep = std::size_t{64} << 10;
// The levels that the programs of these formats take by themselves.
constexpr int kGzipLevel = 6;
constexpr int kGzipWindow = 15 + 16;  // with gzip's header and checksum
constexpr int kGzipMemory = 8;
constexpr int kZstdLevel = 3;
constexpr std::uint32_t kXzLevel = 6;

[[noreturn]] void fail() {
  throw Error(ErrorKind::memory, "no memory for compressing");
}

// Room for one step behind `out`, which `run` fills: it gets a place and a size and gives the
// bytes that it left free.
template <class Run>
bool fill_step(std::string& out, Run run) {
  const std::size_t before = out.size();
  out.resize(before + kStep);
  const std::size_t left = run(out.data() + before, kStep);
  out.resize(before + kStep - left);
  return left == 0;
}

class GzipCompressor final : public Compressor {
 public:
  GzipCompressor() {
    if (deflateInit2(&stream_, kGzipLevel, Z_DEFLATED, kGzipWindow, kGzipMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      fail();
    }
  }
  ~GzipCompressor() override { deflateEnd(&stream_); }
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  void add(std::string_view bytes, bool last, std::string& out) override {
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    const auto run = [&](char* to, std::size_t size) -> std::size_t {
      stream_.next_out = reinterpret_cast<unsigned char*>(to);
      stream_.avail_out = static_cast<uInt>(size);
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      return stream_.avail_out;
    };
    while (fill_step(out, run)) {
    }
  }

 private:
  z_stream stream_ = {};
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : stream_(ZSTD_createCStream()) {
    if (!stream_) fail();
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }

  void add(std::string_view bytes, bool last, std::string& out) override {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    bool more = true;
    while (more) {
      fill_step(out, [&](char* to, std::size_t size) {
        ZSTD_outBuffer output{to, size, 0};
        const std::size_t left = ZSTD_compressStream2(stream_.get(), &output, &input,
                                                      last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) fail();
        more = last ? left > 0 : input.pos < input.size;
        return size - output.pos;
      });
    }
  }

 private:
  struct Free {
    void operator()(ZSTD_CStream* stream) const { ZSTD_freeCStream(stream); }
  };
  std::unique_ptr<ZSTD_CStream, Free> stream_;
};

class XzCompressor final : public Compressor {
 public:
  XzCompressor() {
    if (lzma_easy_encoder(&stream_, kXzLevel, LZMA_CHECK_CRC64) != LZMA_OK) fail();
  }
  ~XzCompressor() override { lzma_end(&stream_); }
  XzCompressor(const XzCompressor&) = delete;
  XzCompressor& operator=(const XzCompressor&) = delete;

  void add(std::string_view bytes, bool last, std::string& out) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    stream_.avail_in = bytes.size();
    const auto run = [&](char* to, std::size_t size) -> std::size_t {
      stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
      stream_.avail_out = size;
      const lzma_ret status = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
      if (status == LZMA_MEM_ERROR) fail();
      return stream_.avail_out;
    };
    while (fill_step(out, run) || stream_.avail_in > 0) {
    }
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<Compressor> Compressor::open(Compression compression) {
  if (compression == Compression::gzip) return std::make_unique<GzipCompressor>();
  if (compression == Compression::zstd) return std::make_unique<ZstdCompressor>();
  return std::make_unique<XzCompressor>();
}

CompressedOutput::CompressedOutput(Compression compression, std::ostream& target)
    : compressor_(Compressor::open(compression)), target_(target), buffer_(kStep) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

void CompressedOutput::pass_on(bool last) {
  compressor_->add({pbase(), static_cast<std::size_t>(pptr() - pbase())}, last, ready_);
  target_ << ready_;
  ready_.clear();
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

// The buffer is full: it goes through the compressor, and the character that had no room begins the
// next one.
CompressedOutput::int_type CompressedOutput::overflow(int_type c) {
  pass_on(false);
  if (!target_) return traits_type::eof();
  return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                         : sputc(traits_type::to_char_type(c));
}

void CompressedOutput::finish() {
  pass_on(true);
}

}  // namespace weft
