#include "tools/serve/body_inflater.h"

#include <array>
#include <new>

namespace weft::tools {
namespace {

constexpr int kGzipOrZlib = 15 + 32;  // the largest window, and whichever header is there

}  // namespace

BodyInflater::BodyInflater() {
  if (inflateInit2(&stream_, kGzipOrZlib) != Z_OK) throw std::bad_alloc();
}

BodyInflater::~BodyInflater() {
  inflateEnd(&stream_);
}

bool BodyInflater::add(const char* bytes, std::size_t size, const Take& take) {
  std::array<char, 1 << 14> out;
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes));
  stream_.avail_in = static_cast<uInt>(size);
  bool may_have_more = true;
  while (stream_.avail_in > 0 || may_have_more) {
    // One member may follow another, as in a file.
    if (is_complete_ && stream_.avail_in == 0) return true;
    if (is_complete_ && inflateReset(&stream_) != Z_OK) return false;
    is_complete_ = false;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return false;
    const std::size_t made = out.size() - stream_.avail_out;
    if (made > 0 && !take(out.data(), made)) return false;
    is_complete_ = status == Z_STREAM_END;
    may_have_more = stream_.avail_out == 0;
  }
  return true;
}

}  // namespace weft::tools
