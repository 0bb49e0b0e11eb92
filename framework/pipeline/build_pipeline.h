// Makes pipelines: from a filled config, with fresh components, or from a saved folder.
#pragma once

#include <filesystem>
#include <memory>

#include "framework/pipeline/component_choice.h"
#include "framework/pipeline/language.h"
#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/overrides/overrides.h"

namespace weft {

// Builds [nlp], the tokenizer and every component of `nlp.pipeline`; components with a `source`
// come from that folder with their weights. `config` is filled, variables kept. Throws
// Error(config) with all problems; Error(data) for a source that cannot be read.
WEFT_API std::shared_ptr<Language> build_pipeline(const Config& config, const Catalogue& catalogue);

// The same as far as it goes: components that cannot be made are left out, and `problems` say of
// all why, and of those that are made which listen to vectors that nobody gives. The tokenizer is
// not made yet. Throws Error(config) where there is no pipeline to put components into.
WEFT_API std::shared_ptr<Language> build_possible(const Config& config, const Catalogue& catalogue,
                                                  Problems& problems);

// Reads a saved pipeline, of spaCy or of weft: a folder, or the name of an installed package
// (find_pipeline.h). `overrides` change its config before it is built,
// `choice` leaves out components. Throws Error(usage) if the folder or a chosen component is not
// there, Error(data) naming the file that is damaged, Error(config) naming a component that is not
// built in. Runs no code but that of `catalogue`.
WEFT_API std::shared_ptr<Language> load_pipeline(const std::filesystem::path& name,
                                                 const Catalogue& catalogue,
                                                 const Overrides& overrides = {},
                                                 const ComponentChoice& choice = {});

}  // namespace weft
