#include "tools/terminal.h"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace weft::tools {
namespace {

// The stream below standard output's own escapes, which JSON's make needless.
std::streambuf& target_of(std::streambuf& buffer) {
  const auto* escaping = dynamic_cast<const EscapingBuffer*>(&buffer);
  return escaping == nullptr ? buffer : escaping->target();
}

}  // namespace

Terminal::Terminal()
    : out_before_(std::cout.rdbuf()),
      err_before_(std::cerr.rdbuf()),
      log_before_(std::clog.rdbuf()),
      out_(*out_before_),
      err_(*err_before_, EscapeForm::braces, kLongestMessage) {
  std::cout.rdbuf(&out_);
  std::cerr.rdbuf(&err_);
  std::clog.rdbuf(&err_);
}

// The streams are still written to when objects of the whole program end.
Terminal::~Terminal() {
  std::cout.rdbuf(out_before_);
  std::cerr.rdbuf(err_before_);
  std::clog.rdbuf(log_before_);
}

int terminal_columns() {
  struct winsize size {};
  const bool said = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return said ? size.ws_col : 80;
}

bool draws_lines() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

JsonOutput::JsonOutput()
    : std::ostream(nullptr), buffer_(target_of(*std::cout.rdbuf()), EscapeForm::json) {
  rdbuf(&buffer_);
}

}  // namespace weft::tools
