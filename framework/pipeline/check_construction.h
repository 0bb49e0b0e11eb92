// Whether the pipeline of a config can be built and given what it needs before any data is read.
#pragma once

#include <memory>

#include "framework/pipeline/language.h"
#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// The pipeline of a filled config, to be initialised. Throws Error(config) with all that
// build_pipeline and init_settings_problems find.
WEFT_API std::shared_ptr<Language> build_to_initialize(const Config& config,
                                                       const Catalogue& catalogue);

// All that stands in the way of `build_to_initialize`, and behind it of the components that have no
// parameters: patterns and tables are taken as far as that asks for no data. Models are built, but
// get no parameters; of their components the settings of [initialize] are checked, files of labels
// too.
WEFT_API Problems construction_problems(const Config& config, const Catalogue& catalogue);

// Adds them to the errors of a config, as far as those leave a pipeline to build: where none of
// them is of [nlp], [components], [initialize] or of the file as a whole.
WEFT_API void add_construction_problems(const Config& config, const Catalogue& catalogue,
                                        Problems& problems);

}  // namespace weft
