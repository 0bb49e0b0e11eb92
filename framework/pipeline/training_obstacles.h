// Things that would end a run before its first step although the config is sound: functions that
// are known and not built or refuse to be, a language without rules, sources and files of
// [initialize] that are not there, and whatever else ends the building of the pipeline or a
// component's initialisation before it asks for data.
#pragma once

#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// `config` is filled and has no errors. Of a block inside of one that is not built nothing is said,
// nor of [pretraining] and of components that are not in the pipeline.
WEFT_API Problems training_obstacles(const Config& config, const Catalogue& catalogue);

// Of these the pipelines that components of the pipeline are to be taken from and that are not
// there, or of another language: without them not even the defaults of a config are known.
WEFT_API Problems missing_sources(const Config& config);

}  // namespace weft
