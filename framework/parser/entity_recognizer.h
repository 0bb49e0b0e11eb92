// The named entity recognizer: a transition-based parser over token vectors (docs/ner-model.md;
// spaCy 3.8, EntityRecognizer).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/nn/model.h"
#include "framework/ops/transition.h"
#include "framework/parser/action_table.h"
#include "framework/parser/beam_search.h"
#include "framework/parser/entity_annotation.h"
#include "framework/parser/entity_classes.h"
#include "framework/parser/entity_evidence.h"
#include "framework/parser/span_calibration.h"
#include "framework/parser/transition_component.h"
#include "framework/pipeline/scores.h"
#include "registry/base/export.h"

namespace weft {

struct EntityRecognizerSettings {
  ModelPtr model;  // refs "tok2vec", "lower" and "upper"
  // Documents of this many tokens and more are trained in pieces of between half and twice as
  // many; 0: never cut.
  int update_with_oracle_cut_size = 100;
  // Group of spans that are known to be wrong.
  std::optional<std::string> incorrect_spans_key;
  BeamSettings beam;
  Scorer scorer;
};

class WEFT_API EntityRecognizer final : public TransitionComponent {
 public:
  explicit EntityRecognizer(EntityRecognizerSettings settings);

  // Labels from [initialize.components.NAME.labels] (a list of names or what `label_data` gives) or
  // from all training data. Throws Error(data) where there is no label at all.
  void initialize(InitContext& init) override;
  Signature init_settings() const override;
  // With a beam, or calibrated, entities get a confidence (docs/confidence.md).
  void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const override;
  // The analyses that a search with the component's beam ends with, for each document. Classes
  // behind those of the action table are those of EntityClasses.
  std::vector<BeamAnalyses> beams(Context& ctx, std::span<const Doc* const> docs) const;
  // Annotates as `predict` does; gives the scores of the entities that were found, which are those
  // of the greedy parse.
  std::vector<std::vector<EntityEvidence>> predict_with_evidence(Context& ctx,
                                                                 std::span<Doc* const> docs) const;

  // The map from scores to confidences; none: entities get no confidence but from a beam.
  const std::optional<SpanCalibration>& calibration() const { return calibration_; }
  void set_calibration(std::optional<SpanCalibration> calibration) {
    calibration_ = std::move(calibration);
  }
  // `cfg`, `moves`, `model`, and `confidence.json` where it is calibrated.
  void to_disk(const std::filesystem::path& folder) const override;
  void from_disk(const std::filesystem::path& folder) override;

  // Takes up the labels of the batch that are new. A calibration is one of the weights that it was
  // fitted to: it is dropped.
  void begin_batch(Batch& batch) override;

  // Which classes no batch has shown yet; null: all were seen.
  Node training_state() const override;
  void set_training_state(const Node& state) override;

  std::vector<std::string> labels() const override { return table_.labels(); }
  Node label_data() const override;
  bool add_label(std::string_view label) override;
  const AnnotationKind* annotation() const override { return &entity_annotation(); }

  const ActionTable& action_table() const { return table_; }
  // See keep_traces.
  std::vector<ParseTrace<transition::State>> traces() const;

 protected:
  bool has_gold(const Example& example) const override;
  ShardParsesPtr shard_parses(std::span<Example* const> examples, std::span<const Doc* const> docs,
                              int max_moves) const override;
  int class_count() const override { return table_.size(); }
  StateVisits visited_states(Context& ctx, const StateScorer& scorer,
                             std::span<const Doc* const> docs) const override;
  ParserCfg cfg() const override { return {.incorrect_spans_key = negative_key_}; }
  void take_cfg(const ParserCfg& cfg, const std::string& file) override;
  std::string moves() const override { return table_.to_bytes(); }
  void take_moves(std::string_view bytes, const std::string& file) override;

 private:
  class Parses;
  void take_table(ActionTable table);
  bool append_labels(const std::vector<std::string>& labels);
  void add_labels_of(const Batch& batch);
  void predict_greedily(Context& ctx, std::span<Doc* const> docs,
                        std::vector<std::vector<EntityEvidence>>* evidence) const;
  std::vector<BeamAnalyses> beams(Context& ctx, const EntityClasses& classes,
                                  std::span<const Doc* const> docs) const;
  void predict_with_beams(Context& ctx, std::span<Doc* const> docs) const;

  std::optional<SpanCalibration> calibration_;
  std::optional<std::string> negative_key_;  // group of spans that are known to be wrong
  ActionTable table_;
  std::vector<transition::Action> actions_;  // table_ with string ids
  std::vector<std::uint8_t> unseen_;         // per class; empty: all were seen
};

}  // namespace weft
