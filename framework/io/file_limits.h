// How large the files of a pipeline, a checkpoint and their like may be, in bytes, and how deep
// their folders. A file beyond its limit is an error that says so: docs/limits.md has them in one
// table.
#pragma once

#include <cstdint>

namespace weft {

// meta.json, cfg, vectors.cfg, state.json: settings and states.
inline constexpr std::uint64_t kMostSettings = std::uint64_t{64} << 20;
// run.json, which tells of each part of a run in a few KiB at most.
inline constexpr std::uint64_t kMostManifest = std::uint64_t{16} << 20;
// tokenizer, strings.json, lookups.bin, key2row, moves, tables and labels as JSON: read as a whole.
inline constexpr std::uint64_t kMostTable = std::uint64_t{512} << 20;
// model, vectors, optimizer.safetensors: arrays of numbers.
inline constexpr std::uint64_t kMostArrayBytes = std::uint64_t{64} << 30;

// Numbers of a word vector, which are the columns of a table of them.
inline constexpr std::int64_t kMostVectorWidth = 65536;

// How deep folders may lie in a folder that is read or copied as a whole: a corpus, a pipeline.
inline constexpr int kDeepestFolder = 64;

// The longest line of a corpus.
inline constexpr std::size_t kLongestTextLine = std::size_t{64} << 20;   // .txt, .jsonl
inline constexpr std::size_t kLongestTokenLine = std::size_t{16} << 20;  // .conll, .iob

}  // namespace weft
