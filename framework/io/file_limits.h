// How large the files of a pipeline, a checkpoint and their like may be, in bytes. A file beyond
// its limit is an error that says so: docs/limits.md has them in one table.
#pragma once

#include <cstdint>

namespace weft {

// meta.json, cfg, vectors.cfg, state.json, run.json: settings and states.
inline constexpr std::uint64_t kMostSettings = std::uint64_t{64} << 20;
// tokenizer, strings.json, lookups.bin, key2row, moves, tables and labels as JSON: read as a whole.
inline constexpr std::uint64_t kMostTable = std::uint64_t{512} << 20;
// model, vectors, optimizer.safetensors: arrays of numbers.
inline constexpr std::uint64_t kMostArrayBytes = std::uint64_t{64} << 30;

// The longest line of a corpus.
inline constexpr std::size_t kLongestTextLine = std::size_t{64} << 20;   // .txt, .jsonl
inline constexpr std::size_t kLongestTokenLine = std::size_t{16} << 20;  // .conll, .iob

}  // namespace weft
