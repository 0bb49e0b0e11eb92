// Reads the training format of spaCy 2: a list of documents with paragraphs, sentences and tokens.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Calls `take` with one document per paragraph, in order; one of them is in memory at a time
// and may hold 2097152 JSON values. Spacing follows from "space" of the tokens or else from "raw"
// of the paragraph. Throws Error(system) where the file cannot be read, Error(data) with file and
// number of the document for anything that is not of this format.
WEFT_API void read_spacy_json(const std::string& path, std::shared_ptr<const Vocab> vocab,
                              const std::function<void(Doc)>& take);

}  // namespace weft
