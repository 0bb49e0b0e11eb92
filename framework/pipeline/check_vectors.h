// Whether the word vectors of a saved pipeline fit the networks that read them.
#pragma once

#include <filesystem>

#include "framework/pipeline/language.h"
#include "registry/base/export.h"

namespace weft {

// Throws Error(data), with the file of the vectors in `folder` and the component, where they have
// another width than those that a network was trained with.
WEFT_API void check_vectors(const Language& nlp, const std::filesystem::path& folder);

}  // namespace weft
