// Turns SIGINT and SIGTERM into a request that a long work asks about; a second one ends the
// program.
#pragma once

namespace weft::tools {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();  // the old handlers are back
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // The signal that came, or 0.
  int signal() const;
};

}  // namespace weft::tools
