// The documents of readers that have no second way through their files, as one of Python: their
// examples tell how these are annotated.
#pragma once

#include <cstdint>

#include "framework/pipeline/language.h"
#include "framework/training/reader.h"
#include "registry/base/export.h"

namespace weft {

// As many are read of a corpus that may have no end; that there are more is told.
inline constexpr std::int64_t kMostOfAnEndlessCorpus = 100'000;

// Gives the references of all examples to `to`. Throws as the reader does.
WEFT_API void read_annotated_examples(const Reader& reader, const Language& nlp,
                                      const AnnotationTells& to);

}  // namespace weft
