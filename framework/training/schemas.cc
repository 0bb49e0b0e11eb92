// The schemas of all sections, here because [training] is the last of them to be known.
#include "framework/pipeline/pipeline_settings.h"
#include "framework/training/training_settings.h"

namespace weft {
namespace {

Schemas all_schemas() {
  Schemas schemas;
  schemas.add<NlpSettings>("nlp");
  schemas.add<TrainingSettings>("training");
  schemas.add<CheckpointSettings>("training.checkpoints");
  schemas.add<RehearsalSettings>("training.rehearsal");
  schemas.add<UnfreezeSettings>("training.unfreeze");
  schemas.add<InitializeSettings>("initialize");
  schemas.add({.section = "pretraining",
               .signature = signature_of<PretrainingSettings>(),
               .may_be_empty = true});
  schemas.add<SystemSettings>("system", UnknownKeys::warn);
  schemas.add({.section = "components.*",
               .signature = signature_of<SourceSettings>(),
               .unknown = UnknownKeys::error,
               .selector = "factory",
               .kind = "factories"});
  return schemas;
}

}  // namespace

const Schemas& pipeline_schemas() {
  static const Schemas& schemas = *new Schemas(all_schemas());
  return schemas;
}

}  // namespace weft
