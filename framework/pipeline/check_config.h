// Checks that concern several sections of a filled config.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// Throws Error(config) with the errors among the problems, if there are any.
WEFT_API void throw_errors(Problems problems);

// Errors, warnings and notes of a config that are shown; further ones are counted.
inline constexpr std::int64_t kMostProblems = 100;

// Writes the warnings and notes among the problems to `err` and throws the errors as throw_errors
// does.
WEFT_API void report_problems(const Problems& problems, std::ostream& err);

// The dotted names of all sections and values.
WEFT_API std::vector<std::string> setting_names(const Config& config);

// [training] train_corpus and dev_corpus must name blocks that make readers.
WEFT_API void check_corpora(const Config& config, Problems& problems);

// Every name of `nlp.pipeline` is one that a component can have (component_name.h), stands there
// once and has a section [components.NAME].
WEFT_API void check_pipeline_names(const Config& config, Problems& problems);

// The names that sourced components have in the pipeline they come from.
WEFT_API void check_sources(const Config& config, Problems& problems);

// Whether a function is unknown in a section of the user's own, where nothing calls it: it may be
// one of another program.
WEFT_API bool is_of_others(const Problem& problem);

// Builds everything that the config names, sections in their order, and throws it away: functions
// that cannot be built are reported, `known, not built yet` included. Sections with functions of
// others are left out.
WEFT_API void check_buildable(const Config& config, const Catalogue& catalogue, Problems& problems);

}  // namespace weft
