// From a config file to the complete config of a pipeline: overrides, defaults, checks.
// Source: docs/training.md, "From file to pipeline".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/overrides/overrides.h"
#include "registry/value/config.h"

namespace weft {

// The command line's words (`--section.key value`), then SPACY_CONFIG_OVERRIDES, then
// WEFT_CONFIG_OVERRIDES: the later wins, with a `disagreement` warning that names both.
WEFT_API Overrides collect_all_overrides(const std::vector<std::string>& words, Problems& problems);

// `config` (variables kept) over the defaults of an empty pipeline, with the defaults of every
// function and factory it names, and all problems found. The score weights that the components
// propose are put in. Variables stay in the result.
WEFT_API Config fill_pipeline_config(const Config& config, const Catalogue& catalogue,
                                     Problems& problems);

// A filled config with the defaults of [pretraining] where it has none. The layer is that of the
// component "tok2vec", or of the first whose model has a network of its own under that name.
WEFT_API Config with_pretraining(const Config& filled);

// Puts overrides into `config` (variables kept, not filled yet). Each must name a section or a
// value of the filled config, else it is an `unknown_override` with the nearest names.
WEFT_API void override_pipeline_config(Config& config, const Overrides& overrides,
                                       const Catalogue& catalogue, Problems& problems);

// Reads, overrides and fills; `completes_pretraining`: a [pretraining] that says something is
// filled with the defaults too, which lacks settings otherwise. Throws Error(usage) if the file
// cannot be read; everything else is in `problems`.
WEFT_API Config load_pipeline_config(const std::filesystem::path& file, const Overrides& overrides,
                                     const Catalogue& catalogue, Problems& problems,
                                     bool completes_pretraining = false);

// The config with every variable replaced. Throws Error(config) if one cannot be; `fill` has then
// said so already.
WEFT_API Config expanded(const Config& config);

// The config as a `.cfg` file holds it. Throws Error(config) for a value that it cannot hold.
WEFT_API std::string config_text(const Config& config);

}  // namespace weft
