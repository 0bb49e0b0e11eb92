// Applies [initialize] to the vocabulary: lookup tables, entries for words, word vectors.
#pragma once

#include <filesystem>

#include "framework/pipeline/language.h"
#include "framework/pipeline/pipeline_settings.h"
#include "registry/base/export.h"

namespace weft {

// In the order of the reference: `lookups` replace those of the pipeline; the words of `vocab_data`
// become known, and the norms it gives go into the table of norms, so that they are saved;
// `vectors` are copied. Throws Error(config) naming the setting whose file or folder is not there
// or holds something else, Error(data) for files that are damaged.
WEFT_API void init_vocab(Language& nlp, const InitializeSettings& settings);

// Copies the word vectors and strings of a pipeline's folder, as [initialize] vectors does.
WEFT_API void copy_vectors(Language& nlp, const std::filesystem::path& folder);

}  // namespace weft
