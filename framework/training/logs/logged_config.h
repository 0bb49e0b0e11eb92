// The config of a run as loggers may tell of it: expanded, without that which must not be logged.
#pragma once

#include <span>
#include <string>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// `config` keeps its variables. A name of `removed` is a dotted setting or section
// ("paths.train", "corpora"); with it goes every setting that takes its value from there, alone or
// in a longer text. Throws Error(config) for a name that the config lacks, with the nearest one:
// a slip would let the value out. Settings that remove_config_values of any logger in
// [training.logger] names are left out too: one logger of a chain tells nothing that another hides.
WEFT_API Object logged_config(const Config& config, std::span<const std::string> removed);

}  // namespace weft
