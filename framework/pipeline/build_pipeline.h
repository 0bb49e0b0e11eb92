// Makes pipelines: from a filled config, with fresh components, or from a saved folder.
#pragma once

#include <filesystem>
#include <memory>

#include "framework/pipeline/language.h"
#include "registry/functions/catalogue.h"
#include "registry/overrides/overrides.h"

namespace weft {

// Builds [nlp], the tokenizer and every component of `nlp.pipeline`; components with a `source`
// come from that folder with their weights. `config` is filled, variables kept. Throws
// Error(config) with all problems; Error(data) for a source that cannot be read.
WEFT_API std::shared_ptr<Language> build_pipeline(const Config& config, const Catalogue& catalogue);

// Reads a saved pipeline, of spaCy or of weft. `overrides` change its config before it is built.
// Throws Error(usage) if the folder is not there, Error(data) naming the file that is damaged,
// Error(config) naming a component that is not built in. Runs no code but that of `catalogue`.
WEFT_API std::shared_ptr<Language> load_pipeline(const std::filesystem::path& folder,
                                                 const Catalogue& catalogue,
                                                 const Overrides& overrides = {});

}  // namespace weft
