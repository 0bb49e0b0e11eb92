// Annotated documents by the ending of their file.
#pragma once

#include <filesystem>
#include <vector>

#include "framework/pipeline/language.h"
#include "registry/catalogue.h"

namespace weft::tools {

// All examples of a .conll, .iob or .spacy file or of a folder of .spacy files. Throws Error(usage)
// if there is no such file or its ending is unknown, Error(data) if it is damaged or has no
// example.
std::vector<Example> read_examples(const std::filesystem::path& file, const Language& nlp,
                                   const Catalogue& catalogue, bool gold_preproc);

}  // namespace weft::tools
