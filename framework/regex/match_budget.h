// How much matching one text may take. Patterns of a pipeline's file can be made to take time by
// the square of a text's length, or by powers of two; this is what stops them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

// A step is an item of a pattern that is tried where alternatives are walked one by one, else eight
// characters that a search passes, or 32 that one repetition takes. Some ten nanoseconds.
class MatchBudget {
 public:
  static constexpr std::uint64_t kSteps = 100'000'000;  // for any text ...
  static constexpr std::uint64_t kStepsPerByte = 32;    // ... and for each of its bytes

  explicit MatchBudget(std::size_t bytes = 0) : left_(kSteps + kStepsPerByte * bytes) {}

  // False, and nothing is left, where it is not enough.
  bool spend(std::uint64_t steps) {
    const bool enough = steps <= left_;
    left_ = enough ? left_ - steps : 0;
    return enough;
  }
  std::uint64_t left() const { return left_; }

 private:
  std::uint64_t left_;
};

}  // namespace weft
