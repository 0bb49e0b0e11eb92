// [training.rehearsal]: what a sourced component knew is rehearsed while it learns more, and how
// much of it was lost is told at the end. Source: docs/training.md, "Rehearsal".
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/scores.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/training/batches.h"
#include "framework/training/training_settings.h"
#include "registry/base/export.h"
#include "registry/functions/catalogue.h"

namespace weft {

// The components of a filled config that have a `source`, as they are there: the tutors. Throws
// Error(config) where none of them can rehearse.
WEFT_API std::shared_ptr<Language> make_tutor(const Config& config, const Catalogue& catalogue);

// F of the labels of the tutor, by "ents_per_type: PER".
using LabelScores = std::map<std::string, double>;

class WEFT_API Rehearsal {
 public:
  // `state`: what an earlier `state()` gave; null: a new run. All references outlive this. Throws
  // Error(data) for a state that is none.
  Rehearsal(Language& nlp, std::shared_ptr<Language> tutor, const Reader& corpus,
            const Batcher& batcher, const RehearsalSettings& settings, std::uint64_t seed,
            const Node& state);
  ~Rehearsal();

  // The names of its losses: "rehearsal_ner".
  std::vector<std::string> loss_names() const;
  // Adds its gradients, if it is due in this step.
  Losses run(ShardRunner& runner, std::int64_t step);

  // Scores before the first step, and those of an evaluation, the best so far or another.
  bool knows_before() const { return !before_.empty(); }
  bool has_limit() const { return settings_.max_drop.has_value(); }
  void set_before(const Scores& scores) { before_ = of_labels(scores); }
  void evaluated(const Scores& scores, bool is_best);
  // Of the last step, where no evaluation was.
  void set_last(const Scores& scores) { last_ = of_labels(scores); }

  // The old labels before, at the best evaluation and after the last step, as a table: those of
  // `model-best` and `model-last`. "" where there are none.
  std::string table() const;
  // The labels that lost more points than max_drop, in words: "ents_per_type: PER lost 3.10 in
  // model-last"; "" where none did.
  std::string lost_too_much() const;

  // For checkpoints: the tutor in a folder of its own, and where the rehearsal stands.
  void write_tutor(const std::filesystem::path& folder) const { tutor_->to_disk(folder); }
  Node state() const;

 private:
  LabelScores of_labels(const Scores& scores) const;
  double change_of(const std::string& label, const LabelScores& now) const;  // in points

  Language& nlp_;
  std::shared_ptr<Language> tutor_;
  const RehearsalSettings& settings_;
  BatchPosition position_;
  std::unique_ptr<TrainingBatches> batches_;
  LabelScores before_, best_, last_;
};

}  // namespace weft
