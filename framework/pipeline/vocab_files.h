// The folder `vocab` of a saved pipeline. Source: docs/spacy-formats.md, "vocab/".
#pragma once

#include <filesystem>

#include "framework/text/vocab.h"
#include "registry/base/export.h"

namespace weft {

// Writes strings.json, lookups.bin and the files of the vectors; tables that the vocabulary lacks
// are written as empty ones. Throws Error(system).
WEFT_API void write_vocab(const Vocab& vocab, const std::filesystem::path& folder);

// Puts the strings, norms, lookups and vectors of the folder into `vocab`. A missing folder is
// fine, one without strings.json is not: Error(data), as for a file that is damaged.
WEFT_API void read_vocab(Vocab& vocab, const std::filesystem::path& folder);

// Adds the strings of a list, `strings.json`, as read_vocab does.
WEFT_API void read_strings(const Vocab& vocab, const std::filesystem::path& file);

}  // namespace weft
