// Text classification: a score for each label of a document. Of `textcat` the labels exclude each
// other, of `textcat_multilabel` they go together. Source: spaCy 3.8, `TextCategorizer` and
// `MultiLabel_TextCategorizer`; docs/text-classification.md.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "components/pipes/category_truth.h"
#include "framework/nn/model.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/rehearsing.h"
#include "framework/pipeline/scores.h"
#include "registry/base/error.h"

namespace weft {

struct TextCategorizerSettings {
  ModelPtr model;  // documents to (documents, labels); ref "output_layer"
  bool exclusive = true;
  double threshold = 0.0;  // from which scores count a label as found; only of several
  Scorer scorer;
};

class TextCategorizer final : public Component, public Rehearsing {
 public:
  explicit TextCategorizer(TextCategorizerSettings settings);

  // Labels from [initialize.components.NAME.labels] (a list of names) or from all training data, in
  // the order of their first appearance; `positive_label` from there too. Throws Error(data) where
  // there are too few.
  void initialize(InitContext& init) override;
  Signature init_settings() const override;
  // Where no document of the group has a token all scores are 0.
  void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const override;

  void begin_batch(Batch& batch) override;
  void update(ShardUpdate& shard) const override;
  void rehearse(ShardUpdate& shard, const TutorPass& tutor) const override;

  ScoreSessionPtr start_scores() const override;

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override;
  void from_disk(const std::filesystem::path& folder) override;

  std::vector<ModelPtr> models() const override { return {settings_.model}; }
  bool scales_gradients() const override { return true; }
  std::vector<std::string> labels() const override { return labels_.names(); }
  Node label_data() const override;
  PredictedValues predicted_values() const override {
    return {.of_document = labels_.names().size()};
  }
  // Before training always; later where the model can grow, else Error(usage).
  bool add_label(std::string_view label) override;
  const AnnotationKind* annotation() const override;

 private:
  void take_labels(const Node& list, const std::string& source);
  void find_labels(ExampleStream& examples);
  void take_positive_label(const Node* label, const std::string& source, ErrorKind kind);
  // Throws where they are too few; `given`: those of [initialize], null for those of the data.
  void require_labels(const Node* given) const;
  Object cfg() const;
  void take_cfg(const Object& cfg, const std::string& source);
  bool is_initialized() const;
  // (documents, labels), f32 on the host.
  Tensor checked_scores(Context& ctx, const Value& output) const;

  TextCategorizerSettings settings_;
  CategoryLabels labels_;
  std::optional<std::string> positive_label_;
  bool has_tokens_ = false;  // the batch at hand
};

}  // namespace weft
