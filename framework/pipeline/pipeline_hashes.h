// The hashes of a pipeline's files, which its meta.json keeps so that damage is found.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The key of meta.json: {"vocab/strings.json": sha256 in hexadecimal, …}. spaCy keeps keys that it
// does not know.
inline constexpr std::string_view kFileHashes = "file_sha256";

// The SHA-256 of every file below `folder` but `except`, by relative path, sorted. Throws
// Error(system) for a file that cannot be read.
WEFT_API Object hash_files(const std::filesystem::path& folder, std::string_view except = {});

// The differences from the hashes, one line each: "ner/model: changed", "vocab: missing",
// "notes.txt: not there when the pipeline was saved". Empty: nothing. Files with the names of
// `may_come` may be there although they were not.
struct HashCheck {
  std::vector<std::string> differences;
  std::size_t files = 0;  // checked
};
WEFT_API HashCheck check_files(const std::filesystem::path& folder, const Object& hashes,
                               std::string_view except = {},
                               std::span<const std::string_view> may_come = {});

// Files about a pipeline that are no part of it: people and packages put them there later.
inline constexpr std::array<std::string_view, 3> kPipelineDocuments = {
    "LICENSE", "LICENSES_SOURCES", "README.md"};

// The same for a saved pipeline, by its meta.json; of documents only those that it was saved with.
// Throws Error(data) where that keeps no hashes, as those of spaCy do not.
WEFT_API HashCheck check_pipeline_files(const std::filesystem::path& folder);

}  // namespace weft
