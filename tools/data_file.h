// Annotated documents by the ending of their file.
#pragma once

#include <filesystem>
#include <functional>

#include "framework/pipeline/language.h"
#include "registry/functions/catalogue.h"

namespace weft::tools {

// Calls `take` with the examples of a .conll, .iob, .jsonl or .spacy file or of a folder of .spacy
// files as they are read. Throws Error(usage) if there is no such file or its ending is unknown,
// Error(data) if it is damaged or has no example.
void read_examples(const std::filesystem::path& file, const Language& nlp,
                   const Catalogue& catalogue, bool gold_preproc,
                   const std::function<void(const ExamplePtr&)>& take);

}  // namespace weft::tools
