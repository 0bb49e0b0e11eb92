// How large the parts of a model may be: bounds far beyond anything useful, so that a slip of the
// keyboard or a hostile config is refused where it stands instead of taking the machine's memory.
// Source: docs/limits.md, "Configs".
#pragma once

#include <cstdint>

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

constexpr int kWidest = 65536;         // numbers of a vector
constexpr int kMostRows = 2147483647;  // of a table; see also most_parameters
constexpr int kMostBytes = 256;        // of a word that are embedded
constexpr int kDeepest = 128;          // layers that a setting puts one after the other
constexpr int kWidestWindow = 32;      // neighbours on each side
constexpr int kMostPadding = kDeepest * kWidestWindow;  // rows
constexpr double kLargestWeight = 1e30;                 // far inside of what an f32 holds

// How many numbers the parameters of a pipeline may hold: 2^25 (128 MiB; training takes some five
// times as much), or what the environment says as WEFT_MAX_PARAMETERS. Throws Error(usage) where
// that is no positive number.
WEFT_API std::int64_t most_parameters();

// The numbers of all parameters below `model`, as far as its dimensions are known already; a
// parameter that has a value counts too. Never overflows: a number above `limit` gives
// `limit` + 1.
WEFT_API std::int64_t count_parameters(const Model& model, std::int64_t limit);

}  // namespace weft
