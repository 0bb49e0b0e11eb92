// A run reads its config's files and writes its output folder: where both meet, data would be lost.
#pragma once

#include <filesystem>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Throws Error(usage) where a run in the folder `output` would replace or remove something that the
// config names to be read (named_inputs.h): by its pipelines, checkpoints, own files, or by those
// of its loggers. Also where `output` lies in a folder of training data: the run's files would
// count as data, which would not be the same when the run goes on. `values` has no variables left.
WEFT_API void refuse_to_lose_inputs(const Config& values, const std::filesystem::path& output);

// The same for pretraining, which reads [corpora] alone and is allowed to replace its weights.
WEFT_API void refuse_to_lose_corpora(const Config& values, const std::filesystem::path& output);

}  // namespace weft
