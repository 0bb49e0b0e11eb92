// The documents of a corpus with the place of each, reading on behind what cannot be read.
#pragma once

#include <functional>
#include <string>

#include "framework/pipeline/data_problem.h"
#include "framework/pipeline/language.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Reads what the block [corpora.NAME] of a config (without variables) names, for the readers that
// come with the library: spacy.Corpus.v1, spacy.JsonlCorpus.v1, weft.ConllCorpus.v1. Entities that
// do not fit the tokens, lines and documents that cannot be read go to `tell`. Throws Error(usage)
// for other readers and for files that are not there.
WEFT_API void read_annotated(const Config& values, const std::string& corpus, const Language& nlp,
                             const std::function<void(const PlacedDoc&)>& take,
                             const DataSink& tell);

}  // namespace weft
