// The folder `vocab` of a saved pipeline. Source: docs/spacy-formats.md, "vocab/".
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "framework/text/vocab.h"
#include "registry/export.h"

namespace weft {

// What of the folder is kept as it was read: file name -> bytes. `lookups.bin`, and the three files
// of the word vectors.
using VocabFiles = std::map<std::string, std::string>;

// Writes strings.json and the files; those missing in `files` are written as empty tables.
WEFT_API void write_vocab(const Vocab& vocab, const VocabFiles& files,
                          const std::filesystem::path& folder);

// Adds the strings and norms to `vocab` and gives the files. A missing folder is fine, one without
// strings.json is not: Error(data), as for a file that is damaged.
WEFT_API VocabFiles read_vocab(Vocab& vocab, const std::filesystem::path& folder);

}  // namespace weft
