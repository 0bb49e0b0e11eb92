// Bytes of answers that are written but not read yet by their clients.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace weft::tools {

class AnswerMemory {
 public:
  // Answers of fewer bytes are always taken: no client shall wait for the answers of others to be
  // read, and the number of connections bounds them.
  static constexpr std::size_t kSmall = std::size_t{64} << 10;

  explicit AnswerMemory(std::size_t most) : most_(most) {}

  // Counts an answer until the last copy of the result goes. Null where all that are not small
  // would take more than the limit, but for a single one. May be called by any thread; the results
  // may not outlive this.
  std::shared_ptr<const void> hold(std::size_t bytes);

 private:
  std::size_t most_;
  std::atomic<std::size_t> held_ = 0;
};

}  // namespace weft::tools
