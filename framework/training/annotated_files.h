// The documents of a corpus with the place of each, reading on behind what cannot be read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "framework/pipeline/language.h"
#include "framework/text/doc.h"
#include "framework/training/data_problem.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct PlacedDoc {
  Doc doc;
  std::string file;
  int line = 0;               // from 1; 0: the format has none
  std::int64_t document = 0;  // in the file, from 1
  bool own_tokens = false;    // tokens of the file, which the pipeline may cut otherwise
};

// Reads what the block [corpora.NAME] of a config (without variables) names, for the readers that
// come with the library: spacy.Corpus.v1, spacy.JsonlCorpus.v1, weft.ConllCorpus.v1. Entities that
// do not fit the tokens, lines and documents that cannot be read go to `tell`. Throws Error(usage)
// for other readers and for files that are not there.
WEFT_API void read_annotated(const Config& values, const std::string& corpus, const Language& nlp,
                             const std::function<void(const PlacedDoc&)>& take,
                             const DataSink& tell);

}  // namespace weft
