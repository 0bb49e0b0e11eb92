// The built program as a child process that can be killed at any moment.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace weft::testing_tools {

class Child {
 public:
  // `weft WORDS...` in `folder`; both of its outputs are appended to `output`. A limit of 0 bytes
  // for the files it may write means none. `launcher` are words in front of the program, such as
  // those of `env` or `ip netns exec`, which become the program.
  Child(const std::vector<std::string>& words, const std::filesystem::path& folder,
        const std::filesystem::path& output, std::size_t file_limit = 0,
        const std::vector<std::string>& launcher = {});
  ~Child();  // kills it if it is still there
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void send(int signal) const;
  // Waits until a signal that was sent no longer waits to be delivered; false if the program has
  // ended or that takes ten seconds.
  bool has_taken(int signal) const;
  // Whether it holds the folder open, for reading and not as a mere place (O_PATH).
  bool has_open(const std::filesystem::path& folder) const;
  // The exit code, or 128 + the signal that ended it, as a shell says it.
  int wait();
  // Whether it ends within so many seconds.
  bool ends_within(double seconds);

 private:
  pid_t pid_ = -1;
  int code_ = -1;
};

// Runs it to its end.
int run_child(const std::vector<std::string>& words, const std::filesystem::path& folder,
              const std::filesystem::path& output);

}  // namespace weft::testing_tools
