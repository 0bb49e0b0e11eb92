// Makes the rehearsal that [training.rehearsal] asks for, and owns what it uses.
#pragma once

#include <memory>

#include "framework/pipeline/language.h"
#include "framework/training/reader.h"
#include "framework/training/rehearsal.h"
#include "framework/training/resume.h"
#include "framework/training/train_options.h"
#include "framework/training/training_settings.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

class RehearsalParts {
 public:
  // The tutor is read where `config`, filled, has its `source`; a run that goes on (`resumed`)
  // finds it in the checkpoint, because the source may have changed since. Nothing is made without
  // the section. All references outlive this. Throws Error(config) on a GPU, and as make_tutor,
  // resolve_corpus and load_pipeline do.
  RehearsalParts(const Config& config, const Config& values, const Catalogue& catalogue,
                 const TrainingSettings& settings, Language& nlp, const ResumedRun* resumed,
                 const TrainOptions& options);
  RehearsalParts(const RehearsalParts&) = delete;
  RehearsalParts& operator=(const RehearsalParts&) = delete;

  Rehearsal* get() const { return rehearsal_.get(); }  // null: none is asked for

 private:
  RehearsalSettings settings_;
  Reader corpus_;
  std::unique_ptr<Rehearsal> rehearsal_;
};

}  // namespace weft
