// The identity of a run's training data: hashes of the files of its corpora.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// For every block below [corpora] with a `path` that is there: {"corpora.train": {"path", "files",
// "bytes", "sha256"}}. The hash of a folder is that of the names and hashes of its files. `values`
// has no variables left. Throws Error(system) for a file that cannot be read.
WEFT_API Object data_facts(const Config& values);

// Throws Error(data) naming the corpora whose bytes are not those that a run began with; where they
// lie does not matter. Those that the run reads (`used`: "corpora.train") have to be known from its
// beginning.
WEFT_API void check_same_data(const Object& at_start, const Object& now,
                              std::initializer_list<std::string_view> used = {});

}  // namespace weft
