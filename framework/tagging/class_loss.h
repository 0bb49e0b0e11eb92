// The loss of a softmax over the classes of tokens. Source: spaCy 3.8, Thinc 8.3
// (SequenceCategoricalCrossentropy); docs/tagging.md, "Loss".
#pragma once

#include <cstdint>
#include <span>

#include "framework/tensor/view.h"
#include "registry/base/export.h"

namespace weft {

// The annotation of a token: its class, a class that it does not have, or nothing.
class GoldClass {
 public:
  static constexpr GoldClass missing() { return GoldClass(kMissing); }
  static constexpr GoldClass is(std::int32_t number) { return GoldClass(number); }
  static constexpr GoldClass is_not(std::int32_t number) { return GoldClass(-2 - number); }

  constexpr bool is_missing() const { return value_ == kMissing; }
  constexpr bool is_negative() const { return value_ < kMissing; }
  // Not of a missing one.
  constexpr std::int32_t number() const { return is_negative() ? -2 - value_ : value_; }

  constexpr bool operator==(const GoldClass&) const = default;

 private:
  static constexpr std::int32_t kMissing = -1;
  constexpr explicit GoldClass(std::int32_t value) : value_(value) {}
  std::int32_t value_;
};

// The gradient of the scores before the softmax, into `d` (tokens, classes) f32: p - t, where t is
// 1 - `smoothing` for the token's class and smoothing / (classes - 1) for the others; of a negative
// class p there and 0 elsewhere; 0 where nothing is known. Gives the sum of its squares.
// `probabilities` (tokens, classes) f32; the numbers of `gold`, one for each token, are classes.
WEFT_API double class_loss(ConstView probabilities, std::span<const GoldClass> gold,
                           double smoothing, View d);

}  // namespace weft
