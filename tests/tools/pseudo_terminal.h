// The built program on a terminal of its own, as a person sees it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace weft::testing_tools {

class PseudoTerminal {
 public:
  // `weft WORDS...` in `folder`, on a terminal of so many columns; standard output too, unless it
  // goes to the file `output`.
  PseudoTerminal(const std::vector<std::string>& words, const std::filesystem::path& folder,
                 int columns, const std::filesystem::path& output = {});
  ~PseudoTerminal();  // kills it if it is still there
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  void resize(int columns);
  // Reads until `enough` says so of all that was written, or the program ends, or a minute passed.
  bool read_until(const std::function<bool(const std::string&)>& enough);
  // Closes the terminal, as a lost connection does.
  void hang_up();
  // Reads the rest. The exit code, or 128 + the signal that ended it.
  int wait();
  const std::string& written() const { return written_; }

 private:
  bool read_some();

  pid_t pid_ = -1;
  int terminal_ = -1;
  std::string written_;
};

// The lines that a terminal of so many columns shows in the end, without blanks at their
// ends. Lines that are too long go on in the next one.
std::vector<std::string> screen_of(const std::string& written, std::size_t columns);

}  // namespace weft::testing_tools
