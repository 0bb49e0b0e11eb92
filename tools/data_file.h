// Annotated documents by the ending of their file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "registry/functions/catalogue.h"

namespace weft::tools {

struct DataOptions {
  bool gold_preproc = false;
  AlignmentPolicy on_misaligned = AlignmentPolicy::error;  // of entities given by characters
  std::vector<std::string> tag_names = {};                 // of records that number their tags
};

// Calls `take` with the examples of a .conll, .iob, .jsonl or .spacy file or of a folder of .spacy
// files as they are read. Entities that do not fall on tokens, and how many records their
// annotators rejected or ignored, are told on standard error. Throws Error(usage) if there is no
// such file or its ending is unknown, Error(data) if it is damaged or has no example.
void read_examples(const std::filesystem::path& file, const Language& nlp,
                   const Catalogue& catalogue, const DataOptions& options,
                   const std::function<void(const ExamplePtr&)>& take);

}  // namespace weft::tools
