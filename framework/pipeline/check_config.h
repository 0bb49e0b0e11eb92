// Checks that concern several sections of a filled config.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// Throws Error(config) with the errors among the problems, if there are any.
WEFT_API void throw_errors(Problems problems);

// The dotted names of all sections and values.
WEFT_API std::vector<std::string> setting_names(const Config& config);

// [training] train_corpus and dev_corpus must name blocks that make readers.
WEFT_API void check_corpora(const Config& config, Problems& problems);

// Every name of `nlp.pipeline` is one that a component can have (component_name.h), stands there
// once and has a section [components.NAME].
WEFT_API void check_pipeline_names(const Config& config, Problems& problems);

// The names that sourced components have in the pipeline they come from.
WEFT_API void check_sources(const Config& config, Problems& problems);

// Whether functions below this path are called: those in sections of the user's own never are.
WEFT_API bool calls_functions(std::string_view path);

// Builds everything in those sections, in their order, and throws it away: functions that cannot be
// built are reported, `known, not built yet` included.
WEFT_API void check_buildable(const Config& config, const Catalogue& catalogue, Problems& problems);

}  // namespace weft
