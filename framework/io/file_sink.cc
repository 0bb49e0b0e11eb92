#include "framework/io/file_sink.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace weft {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

}  // namespace

FileSink::FileSink(const std::filesystem::path& file)
    : fd_(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
      buffer_(kBufferBytes) {
  if (fd_ < 0) error_ = errno;
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

FileSink::~FileSink() {
  if (fd_ >= 0) ::close(fd_);
}

bool FileSink::write_buffered() {
  const char* at = pbase();
  while (at < pptr() && error_ == 0) {
    const ssize_t written = ::write(fd_, at, static_cast<std::size_t>(pptr() - at));
    if (written >= 0) {
      at += written;
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0;
}

FileSink::int_type FileSink::overflow(int_type c) {
  if (!write_buffered()) return traits_type::eof();
  return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                         : sputc(traits_type::to_char_type(c));
}

int FileSink::sync() {
  return write_buffered() ? 0 : -1;
}

int FileSink::close(bool sync_to_disk) {
  write_buffered();
  if (error_ == 0 && sync_to_disk && ::fsync(fd_) != 0) error_ = errno;
  // Network file systems report a full disk here.
  if (fd_ >= 0 && ::close(fd_) != 0 && error_ == 0) error_ = errno;
  fd_ = -1;
  return error_;
}

}  // namespace weft
