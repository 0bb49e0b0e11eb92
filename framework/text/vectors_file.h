// The three files that a pipeline's word vectors are kept in: `vectors`, `key2row`, `vectors.cfg`.
// Source: docs/spacy-formats.md, "vocab/".
#pragma once

#include <filesystem>

#include "framework/text/vectors.h"
#include "registry/base/export.h"

namespace weft {

// Those of a folder; files that are missing count as empty. Throws Error(data) naming the file that
// is damaged, also for rows by key without a key and for an attribute that vectors are not looked
// up by; Error(system) for one that cannot be read.
WEFT_API Vectors read_vectors(const std::filesystem::path& folder);

// Writes all three into a folder that is there. Throws Error(system).
WEFT_API void write_vectors(const Vectors& vectors, const std::filesystem::path& folder);

}  // namespace weft
