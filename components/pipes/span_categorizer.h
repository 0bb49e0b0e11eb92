// Span categorization: of the spans that a suggester names, those that have a label. They may share
// tokens. Of `spancat` a span has any number of labels, of `spancat_singlelabel` one at most.
// Source: spaCy 3.8, `SpanCategorizer`; docs/spans.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/pipes/span_choice.h"
#include "components/pipes/span_loss.h"
#include "framework/nn/model.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/scores.h"
#include "framework/tagging/label_list.h"
#include "framework/text/suggester.h"

namespace weft {

struct SpanCategorizerSettings {
  ModelPtr model;  // spacy.SpanCategorizer.v1
  Suggester suggester;
  std::string spans_key = "sc";
  SpanChoice choice = {};
  std::optional<double> negative_weight = {};  // with choice.no_label
  Scorer scorer = {};
};

class SpanCategorizer final : public Component {
 public:
  // Throws Error(config) for a model that scores no spans.
  explicit SpanCategorizer(SpanCategorizerSettings settings);

  // Labels from [initialize.components.NAME.labels] (a list of names) or from all training data, in
  // the order of their first appearance. Throws Error(data) where there is none.
  void initialize(InitContext& init) override;
  Signature init_settings() const override;
  // Sets the group of every document. Its attribute "scores" has the scores of its spans, where
  // there was a candidate.
  void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const override;

  void begin_batch(Batch& batch) override;
  void update(ShardUpdate& shard) const override;

  ScoreSessionPtr start_scores() const override;

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override;
  void from_disk(const std::filesystem::path& folder) override;

  std::vector<ModelPtr> models() const override { return {settings_.model}; }
  bool scales_gradients() const override { return true; }
  std::vector<std::string> labels() const override { return labels_.names(); }
  Node label_data() const override { return labels_.to_list(); }
  // Before the model is initialised; later Error(usage).
  bool add_label(std::string_view label) override;
  const AnnotationKind* annotation() const override;
  // Where every candidate gets every label.
  PredictedValues predicted_values() const override;

 private:
  std::int64_t class_count() const { return labels_.size() + (settings_.choice.no_label ? 1 : 0); }
  void take_labels(const Node& list, const std::string& source);
  void find_labels(ExampleStream& examples);
  Object cfg() const;
  void take_cfg(const Object& cfg, const std::string& source);
  Tensor checked_scores(Context& ctx, const Value& output) const;
  void check_count(std::size_t spans, const Doc& doc) const;
  void set_spans(Doc& doc, std::size_t candidates, std::vector<ScoredSpan> chosen) const;

  SpanCategorizerSettings settings_;
  LabelList labels_;
  std::vector<std::int64_t> rows_before_;  // candidates before each example of the batch at hand
};

}  // namespace weft
