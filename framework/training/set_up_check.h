// Whether a run would get to its first step with the data of a config, for `debug data`. Source:
// spaCy 3.8, whose `debug data` initializes the pipeline.
#pragma once

#include <memory>
#include <string>

#include "framework/pipeline/data_problem.h"
#include "framework/training/data_check.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// A corpus in which no document has a token ends a run.
WEFT_API void check_examples(const std::string& corpus, const CorpusCounts& counts,
                             const DataSink& tell);

// Initializes the pipeline of a filled config, as `train` does. A component that finds nothing to
// learn in the training data, `corpus`, is told of, and so are files and settings that it cannot
// use, and gives null; other errors pass.
WEFT_API std::shared_ptr<const Language> check_set_up(const Config& config,
                                                      const Catalogue& catalogue,
                                                      const std::string& corpus,
                                                      const DataSink& tell);

}  // namespace weft
