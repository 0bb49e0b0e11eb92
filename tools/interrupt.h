// Turns the signals that ask a program to end, or announce that it will be ended (SIGINT, SIGTERM,
// SIGHUP, SIGUSR1, SIGUSR2), into a request that a long work asks about; a second one of the same
// kind ends the program.
#pragma once

#include <string_view>

namespace weft::tools {

class Interrupt {
 public:
  // Signals that were ignored before, as under `nohup`, stay so.
  Interrupt();
  ~Interrupt();  // the signals end the program again
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // The signal that came, or 0.
  int signal() const;
};

// "SIGTERM" and the like.
std::string_view name_of_signal(int signal);

}  // namespace weft::tools
