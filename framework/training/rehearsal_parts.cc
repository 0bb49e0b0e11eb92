#include "framework/training/rehearsal_parts.h"

#include <cstdint>
#include <utility>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/setting_error.h"
#include "framework/training/required_section.h"
#include "framework/training/resolve_corpus.h"

namespace weft {

RehearsalParts::RehearsalParts(const Config& config, const Config& values,
                               const Catalogue& catalogue, const TrainingSettings& settings,
                               Language& nlp, const ResumedRun* resumed,
                               const TrainOptions& options) {
  if (settings.rehearsal.empty()) return;
  if (options.gpu >= 0) {
    throw setting_error("training.rehearsal", "it runs on the CPU; take --gpu-id away");
  }
  settings_ = required_section<RehearsalSettings>(values, "training.rehearsal", catalogue);
  corpus_ = resolve_corpus(values, settings_.corpus, catalogue);
  auto tutor = resumed == nullptr ? make_tutor(config, catalogue)
                                  : load_pipeline(resumed->folder / kTutorOfCheckpoint, catalogue);
  rehearsal_ =
      std::make_unique<Rehearsal>(nlp, std::move(tutor), corpus_, *settings.batcher, settings_,
                                  static_cast<std::uint64_t>(settings.seed.value_or(0)),
                                  resumed == nullptr ? Node() : resumed->checkpoint.rehearsal);
}

}  // namespace weft
