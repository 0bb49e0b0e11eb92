#include "tools/output_watch.h"

#include <cerrno>
#include <iostream>

#include <poll.h>
#include <unistd.h>

namespace weft::tools {

OutputWatch::OutputWatch() : before_(std::cout.rdbuf()) {
  std::cout.rdbuf(this);
}

OutputWatch::~OutputWatch() {
  std::cout.rdbuf(before_);
}

void OutputWatch::note_failure() {
  is_closed_ = is_closed_ || errno == EPIPE;
}

OutputWatch::int_type OutputWatch::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  errno = 0;
  const int_type put = before_->sputc(traits_type::to_char_type(c));
  if (traits_type::eq_int_type(put, traits_type::eof())) note_failure();
  return put;
}

std::streamsize OutputWatch::xsputn(const char* text, std::streamsize size) {
  errno = 0;
  const std::streamsize put = before_->sputn(text, size);
  if (put < size) note_failure();
  return put;
}

int OutputWatch::sync() {
  errno = 0;
  const int result = before_->pubsync();
  if (result != 0) note_failure();
  return result;
}

bool is_output_closed() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace weft::tools
