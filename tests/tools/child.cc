#include "tests/tools/child.h"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/folders.h"

namespace weft::testing_tools {
namespace {

void limit_files(std::size_t bytes) {
  if (bytes == 0) return;
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

[[noreturn]] void become(std::vector<std::string> all, const std::filesystem::path& folder,
                         const std::filesystem::path& output, std::size_t file_limit) {
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0 || ::chdir(folder.c_str()) != 0) ::_exit(126);
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
  limit_files(file_limit);
  ::execvp(arguments.front(), arguments.data());
  ::_exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& words, const std::filesystem::path& folder,
             const std::filesystem::path& output, std::size_t file_limit,
             const std::vector<std::string>& launcher) {
  std::vector<std::string> all = launcher;
  all.emplace_back(build_path("bin/weft"));
  all.insert(all.end(), words.begin(), words.end());
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("cannot start a process");
  if (pid_ == 0) become(std::move(all), folder, output, file_limit);
}

Child::~Child() {
  if (pid_ < 0) return;
  send(SIGKILL);
  wait();
}

void Child::send(int signal) const {
  if (pid_ > 0) ::kill(pid_, signal);
}

bool Child::has_taken(int signal) const {
  const std::uint64_t bit = std::uint64_t{1} << (signal - 1);
  for (int i = 0; i < 10000; ++i) {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    std::uint64_t waiting = 0;
    bool found = false;
    for (std::string line; std::getline(status, line);) {
      if (!line.starts_with("SigPnd:") && !line.starts_with("ShdPnd:")) continue;
      waiting |= std::stoull(line.substr(7), nullptr, 16);
      found = true;
    }
    if (!found) return false;
    if ((waiting & bit) == 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

bool Child::has_open(const std::filesystem::path& folder) const {
  const std::filesystem::path process = "/proc/" + std::to_string(pid_);
  std::error_code gone;  // a descriptor that is closed meanwhile
  for (const auto& entry : std::filesystem::directory_iterator(process / "fd", gone)) {
    if (std::filesystem::read_symlink(entry.path(), gone) != folder) continue;
    std::ifstream facts(process / "fdinfo" / entry.path().filename());
    for (std::string line; std::getline(facts, line);) {
      if (line.starts_with("flags:")) return (std::stoi(line.substr(6), nullptr, 8) & O_PATH) == 0;
    }
  }
  return false;
}

int Child::wait() {
  if (pid_ < 0) return code_;
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return code_;
}

bool Child::ends_within(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (pid_ > 0 && std::chrono::steady_clock::now() < end) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return pid_ < 0;
}

int run_child(const std::vector<std::string>& words, const std::filesystem::path& folder,
              const std::filesystem::path& output) {
  return Child(words, folder, output).wait();
}

}  // namespace weft::testing_tools
