// The policy of a run for one op in one layer: how its floating inputs are cast and in which format
// its result is stored. f64 and integer arrays are never touched.
// Source: docs/precision.md, "Op categories".
#pragma once

#include <cstdint>

namespace weft {

struct OpRule {
  enum class Input : std::uint8_t {
    keep,     // each as it comes; the arithmetic is f32
    f32,      // widened, and weights are the f32 ones
    low,      // rounded to the run's 16-bit format
    first,    // rounded to the format of the first
    tf32,     // f32 inputs are rounded to tf32
    refused,  // 16-bit inputs are an error
  };
  enum class Result : std::uint8_t { f32, low, first, widest };

  Input input = Input::keep;
  Result result = Result::f32;
  bool low_weights = false;     // 16-bit copies stand for the f32 weights
  bool wide_gradients = false;  // gradients of inputs stay f32
};

}  // namespace weft
