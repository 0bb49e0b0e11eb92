// The files that all checkpoints are made of: state.json, whose second line is the hash of the
// first, and optimizer.safetensors. Source: docs/reliability.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "framework/training/optimizer.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

inline constexpr const char* kSealedState = "state.json";
inline constexpr const char* kOptimizerFile = "optimizer.safetensors";

// Error(data).
[[noreturn]] WEFT_API void damaged_checkpoint(const std::filesystem::path& folder,
                                              const std::string& what);

// Throws Error(system).
WEFT_API void write_sealed_state(const Object& state, const std::filesystem::path& folder);
// Throws Error(data) where it is not as it was written.
WEFT_API Object read_sealed_state(const std::filesystem::path& folder);

// The parts of a state. Throw Error(data) where there is none of that kind; `folder` is named.
WEFT_API const Node& member(const Object& state, std::string_view key,
                            const std::filesystem::path& folder);
WEFT_API Object object_in(const Object& state, std::string_view key,
                          const std::filesystem::path& folder);
WEFT_API std::int64_t count_of(const Node& node, std::string_view key,
                               const std::filesystem::path& folder);

using OptimizerStates = std::map<std::string, OptimizerState>;

// The updates that each parameter has had, for the state.
WEFT_API Object update_counts(const OptimizerStates& states);
// Moments and averages. Throws Error(data) for one that holds a NaN or an infinity, Error(system).
WEFT_API void write_optimizer_states(const OptimizerStates& states,
                                     const std::filesystem::path& file);
// From the folder's file and the counts of its state. Throws Error(data).
WEFT_API OptimizerStates read_optimizer_states(const Object& counts,
                                               const std::filesystem::path& folder);
// Puts them into the optimizer. Throws Error(data), with the folder in its message, for that of a
// parameter that is not there.
WEFT_API void take_optimizer_states(const OptimizerStates& states,
                                    std::span<const NamedParameter> parameters,
                                    Optimizer& optimizer, const std::filesystem::path& folder);

}  // namespace weft
