// The results of the functions of functions.json: objects that remember how they were called.
// Shared by the plugin and the runner.
#pragma once

#include <string>

#include "registry/functions/argument.h"

namespace weft::conformance {

// A product (`object`) or a function (`callable`).
struct Recorded {
  std::string marker;  // "$object" or "$callable"
  std::string name;    // "layers.dense.v1"
  Argument::Section arguments;
};

// An endless arithmetic series.
struct Series {
  double start = 0;
  double step = 0;
};

}  // namespace weft::conformance
