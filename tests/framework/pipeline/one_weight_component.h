// A component with one weight, whose loss and gradient are easy to tell: for tests of what trains
// pipelines.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/nn/model.h"
#include "framework/ops/elementwise.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/language.h"
#include "framework/text/example.h"

namespace weft::testing {

// The loss of a shard is its number of tokens, and so is the gradient of the weight.
class OneWeight : public Component {
 public:
  OneWeight() {
    model_ = std::make_shared<Model>("weight", [](Context&, const Model&, const Value& x) {
      return Forward{x, {}};
    });
    model_->set_param("W", Tensor::zeros({1}));
  }
  void initialize(InitContext&) override {}
  void predict(Context&, std::span<Doc* const> docs, Slots&) const override {
    predicted += static_cast<int>(docs.size());
  }
  void update(ShardUpdate& shard) const override {
    double tokens = 0.0;
    for (const Example* example : shard.examples) tokens += static_cast<double>(example->size());
    const auto number = static_cast<float>(tokens) * shard.ctx.pass().loss_scale();
    Tensor& gradient = shard.ctx.gradients().of(weight());
    shard.ctx.run<AddInPlace>(gradient.view(), Tensor::from<float>({1}, {number}));
    shard.losses[name()] += loss_of ? loss_of(shard) : tokens;
  }
  void forward_frozen(ShardUpdate& shard) const override {
    ++frozen;
    if (shard.ctx.training()) ++frozen_with_dropout;
  }
  void end_batch(Batch& batch) override {
    if (at_end) at_end(batch);
  }
  std::vector<ModelPtr> models() const override { return {model_}; }
  std::vector<std::string> labels() const override { return known; }
  const AnnotationKind* annotation() const override { return kind; }
  bool scales_gradients() const override { return true; }

  const Parameter& weight() const { return model_->param("W"); }
  Model& model() { return *model_; }

  std::function<double(ShardUpdate&)> loss_of;
  std::function<void(Batch&)> at_end;
  std::vector<std::string> known;
  const AnnotationKind* kind = nullptr;
  mutable std::atomic<int> predicted = 0, frozen = 0, frozen_with_dropout = 0;

 private:
  ModelPtr model_;
};

inline NlpSettings plain_settings() {
  NlpSettings settings;
  settings.lang = "xx";
  return settings;
}

// Documents of these lengths, of the word "w".
inline std::vector<Example> documents_of(const Language& nlp, const std::vector<int>& lengths) {
  std::vector<Example> examples;
  for (const int length : lengths) {
    const std::vector<std::string> words(static_cast<std::size_t>(length), "w");
    examples.push_back(Example::from_reference(Doc::from_words(nlp.vocab(), words)));
  }
  return examples;
}

inline std::vector<Example*> pointers_to(std::vector<Example>& examples) {
  std::vector<Example*> all;
  for (Example& example : examples) all.push_back(&example);
  return all;
}

}  // namespace weft::testing
