#include "framework/io/file_sink.h"

#include <cerrno>

#include <unistd.h>

namespace weft {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

}  // namespace

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int sync_folder(int fd) {
  return ::fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
}

FileSink::FileSink(int fd) : fd_(fd), buffer_(kBufferBytes) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

int FileSink::flush() {
  if (error_ == 0) {
    error_ = write_all(fd_, {pbase(), static_cast<std::size_t>(pptr() - pbase())});
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_;
}

FileSink::int_type FileSink::overflow(int_type c) {
  if (flush() != 0) return traits_type::eof();
  return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                         : sputc(traits_type::to_char_type(c));
}

int FileSink::sync() {
  return flush() == 0 ? 0 : -1;
}

}  // namespace weft
