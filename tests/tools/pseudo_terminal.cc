#include "tests/tools/pseudo_terminal.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/folders.h"

namespace weft::testing_tools {
namespace {

winsize size_of(int columns) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<unsigned short>(columns);
  return size;
}

[[noreturn]] void become(const std::vector<std::string>& words, const std::filesystem::path& folder,
                         const std::filesystem::path& output) {
  std::string program = build_path("bin/weft");
  std::vector<std::string> copies = words;
  std::vector<char*> arguments = {program.data()};
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (::chdir(folder.c_str()) != 0) ::_exit(126);
  if (!output.empty()) {
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) ::_exit(126);
    ::dup2(file, STDOUT_FILENO);
  }
  ::setenv("TERM", "xterm", 1);
  ::execv(program.c_str(), arguments.data());
  ::_exit(127);
}

}  // namespace

PseudoTerminal::PseudoTerminal(const std::vector<std::string>& words,
                               const std::filesystem::path& folder, int columns,
                               const std::filesystem::path& output) {
  winsize size = size_of(columns);
  pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
  if (pid_ < 0) throw std::runtime_error("cannot start a process on a terminal");
  if (pid_ == 0) become(words, folder, output);
}

PseudoTerminal::~PseudoTerminal() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    wait();
  }
  hang_up();
}

void PseudoTerminal::resize(int columns) {
  const winsize size = size_of(columns);
  ::ioctl(terminal_, TIOCSWINSZ, &size);
}

bool PseudoTerminal::read_some() {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(terminal_, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;  // EIO: nobody has the terminal open any more
  written_.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

bool PseudoTerminal::read_until(const std::function<bool(const std::string&)>& enough) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!enough(written_)) {
    pollfd ready{terminal_, POLLIN, 0};
    if (std::chrono::steady_clock::now() > end) return false;
    if (::poll(&ready, 1, 100) > 0 && !read_some()) return enough(written_);
  }
  return true;
}

void PseudoTerminal::hang_up() {
  if (terminal_ >= 0) ::close(terminal_);
  terminal_ = -1;
}

int PseudoTerminal::wait() {
  while (terminal_ >= 0 && read_some()) {
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<std::string> screen_of(const std::string& written, std::size_t columns) {
  std::vector<std::string> lines(1);
  std::size_t row = 0, column = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written.compare(i, 3, "\x1b[K") == 0) {
      lines[row].resize(std::min(lines[row].size(), column));
      i += 2;
    } else if (written.compare(i, 3, "\x1b[A") == 0) {
      if (row > 0) --row;
      i += 2;
    } else if (written[i] == '\r') {
      column = 0;
    } else if (written[i] == '\n') {
      if (++row == lines.size()) lines.emplace_back();
    } else {
      if (column == columns) {
        column = 0;
        if (++row == lines.size()) lines.emplace_back();
      }
      std::string& line = lines[row];
      if (line.size() <= column) line.resize(column + 1, ' ');
      line[column++] = written[i];
    }
  }
  for (std::string& line : lines) {
    while (line.ends_with(' ')) line.pop_back();
  }
  return lines;
}

}  // namespace weft::testing_tools
