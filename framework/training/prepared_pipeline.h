// The pipeline that a run trains, with its labels, shapes and parameters: those of a fresh start,
// or of the checkpoint that the run goes on from.
#pragma once

#include <iosfwd>
#include <memory>

#include "framework/pipeline/language.h"
#include "framework/training/reader.h"
#include "framework/training/resume.h"
#include "framework/training/run_progress.h"
#include "framework/training/training_settings.h"
#include "registry/base/export.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

struct PreparedPipeline {
  Reader train_corpus;
  std::shared_ptr<Language> nlp;         // initialised
  bool has_labels_of_beginning = false;  // of a stream that may be endless
};

// Builds the pipeline of `config` and initialises it from the training corpus. `values` are the
// expanded config; the names of frozen components in `settings` become those of the pipeline's.
// Throws as build_pipeline and initialize_pipeline do, and Error(config) for settings that name no
// component; an error of the examples that knows no place says which corpus they are of.
PreparedPipeline prepare_pipeline(const Config& config, const Config& values,
                                  const Catalogue& catalogue, TrainingSettings& settings,
                                  RunProgress* progress);

// The same for a run that goes on: the pipeline gets what the checkpoint holds.
PreparedPipeline restore_prepared(const ResumedRun& resumed, const Config& values,
                                  const Catalogue& catalogue, TrainingSettings& settings,
                                  RunProgress* progress);

// Warns of components that were sourced or frozen and may not fit the others, and of labels that
// come from the beginning of a stream.
void tell_doubts(const PreparedPipeline& prepared, const Config& values,
                 const TrainingSettings& settings, std::ostream& err);

// Builds and initialises the pipeline of a filled config from its training data, without training
// it. Warns on `err`, if there is one, of labels that come from the beginning of a stream.
WEFT_API std::shared_ptr<Language> initialized_pipeline(const Config& config,
                                                        const Catalogue& catalogue,
                                                        std::ostream* err = nullptr);

}  // namespace weft
