// The named entity recognizer: a transition-based parser over token vectors (docs/ner-model.md;
// spaCy 3.8, EntityRecognizer).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/nn/model.h"
#include "framework/ops/transition.h"
#include "framework/parser/action_table.h"
#include "framework/parser/entity_annotation.h"
#include "framework/pipeline/component.h"
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
  Scorer scorer;
};

class WEFT_API EntityRecognizer final : public Component {
 public:
  explicit EntityRecognizer(EntityRecognizerSettings settings);

  // Labels from [initialize.components.NAME.labels] (a list of names or what `label_data` gives) or
  // from all training data. Throws Error(data) where there is no label at all.
  void initialize(InitContext& init) override;
  void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const override;

  void begin_batch(Batch& batch) override;
  void update(ShardUpdate& shard) const override;
  void end_batch(Batch& batch) override;

  ScoreSessionPtr start_scores() const override;

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override;
  void from_disk(const std::filesystem::path& folder) override;

  // Which classes no batch has shown yet; null: all were seen.
  Node training_state() const override;
  void set_training_state(const Node& state) override;

  std::vector<ModelPtr> models() const override { return {settings_.model}; }
  bool scales_gradients() const override { return true; }
  std::vector<std::string> labels() const override { return table_.labels(); }
  Node label_data() const override;
  bool add_label(std::string_view label) override;
  const AnnotationKind* annotation() const override { return &entity_annotation(); }

  const ActionTable& action_table() const { return table_; }

  void set_cut_size(int tokens) { settings_.update_with_oracle_cut_size = tokens; }

  // What one shard did in an update, for comparison with records.
  struct ShardTrace {
    std::vector<transition::State> states;           // where the parses started
    std::vector<std::vector<std::int32_t>> classes;  // taken by each
  };
  // From now on `traces` holds those of the last batch, one for each shard. Of the CPU alone.
  void keep_traces(bool keep) { keep_traces_ = keep; }
  const std::vector<ShardTrace>& traces() const { return traces_; }

 private:
  // Decided once for a batch.
  struct Plan {
    int max_moves = 0;              // 0: no cutting
    bool has_gold = false;          // some example has annotation
    const Example* last = nullptr;  // holds the last token of the batch
  };

  void take_table(ActionTable table);
  bool append_labels(const std::vector<std::string>& labels);
  void add_labels_of(const Batch& batch);
  void take_cfg(const Object& cfg, const std::string& source);
  // (tokens, width). With `backward`: also the way back.
  Tensor token_vectors(Context& ctx, std::span<const Doc* const> docs, Backward* backward) const;

  EntityRecognizerSettings settings_;
  ActionTable table_;
  std::vector<transition::Action> actions_;  // table_ with string ids
  std::vector<std::uint8_t> unseen_;         // per class; empty: all were seen
  Plan plan_;
  bool keep_traces_ = false;
  std::vector<ShardTrace> traces_;
};

}  // namespace weft
