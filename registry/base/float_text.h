// Floats as config files show them. Source: docs/config.md, "Writing".
#pragma once

#include <string>

namespace weft {

// The shortest text that reads back as the same double, in Python's layout: a point always, or an
// exponent of at least two digits from 1e16 up and below 1e-4 (`1e-08`, `1.5e+16`). NaN, Infinity.
std::string float_text(double value);

}  // namespace weft
