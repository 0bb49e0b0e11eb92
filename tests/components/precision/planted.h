// A component whose loss gradients the test writes down, and a session of the precision policy
// around it: what a level does to a weight can be followed number by number.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "components/layers/layers.h"
#include "components/weft.h"
#include "framework/nn/model.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/step.h"
#include "tests/components/building.h"

namespace weft::testing {

// One weight: y = w x with x = 1, and dy as planted for each micro-batch, taken in turn.
class Planted final : public Component {
 public:
  explicit Planted(ModelPtr model) : model_(std::move(model)) {}
  void initialize(InitContext&) override {}
  void predict(Context&, std::span<Doc* const>, Slots&) const override {}
  std::vector<ModelPtr> models() const override { return {model_}; }
  bool scales_gradients() const override { return true; }

  void update(ShardUpdate& shard) const override {
    Context& ctx = shard.ctx;
    Forward forward = (*model_)(ctx, Tensor::from<float>({1, 1}, {input}));
    const Tensor& y = as_tensor(forward.output);
    output_type = y.dtype();
    Tensor dy = ctx.zeros(y.shape());
    const float planted =
        gradients.at(static_cast<std::size_t>(shard.batch.step + shard.batch.sub_batch));
    dy.data<float>()[0] = planted * ctx.pass().loss_scale();
    forward.backward(ctx, dy);
    shard.losses[name()] += loss;
  }

  void end_batch(Batch& batch) override {
    if (at_end) at_end(batch);
  }

  std::function<void(Batch&)> at_end;
  std::vector<float> gradients;  // from the step's number on, one for each micro-batch
  float input = 1.0F;
  double loss = 1.0;
  mutable DType output_type = DType::f32;

 private:
  ModelPtr model_;
};

inline ModelPtr one_weight(float value) {
  const ModelPtr linear = layers::linear({.outputs = 1, .inputs = 1});
  linear->set_param("W", Tensor::from<float>({1, 1}, {value}));
  linear->set_param("b", Tensor::from<float>({1}, {0.0F}));
  return linear;
}

inline std::string sgd(double rate, const std::string& more = "grad_clip = 0.0\n") {
  return "@optimizers = \"SGD.v1\"\nlearn_rate = " + std::to_string(rate) + "\n" + more;
}

// `settings` is the block [training.precision] without its first line.
class PlantedRun {
 public:
  explicit PlantedRun(const std::string& settings, float weight = 1.0F,
                      const std::string& optimizer = sgd(1.0), ModelPtr model = {})
      : model_(model ? std::move(model) : one_weight(weight)),
        component_(std::make_shared<Planted>(model_)),
        nlp_pointer_(blank("en")),
        nlp_(*nlp_pointer_),
        pool_(1),
        optimizer_(build<OptimizerPtr>(optimizer)) {
    nlp_.add({"planted", component_});
    example_.push_back(Example::from_reference(Doc::from_words(nlp_.vocab(), {"one", "word"})));
    runner_ = std::make_unique<ShardRunner>(nlp_, pool_, ShardRunnerOptions{});
    start(settings);
  }

  // Another session goes on with the same pipeline and optimizer.
  void start(const std::string& settings) {
    training_step_.reset();
    session_.reset();
    session_ = std::make_unique<PrecisionSession>(
        build<PrecisionPolicy>("@precision = \"amp.v1\"\n" + settings), nlp_, *runner_, *optimizer_,
        [this](const Notice& notice) { notices.push_back(notice); });
    training_step_.emplace(*runner_, *optimizer_, *session_);
  }

  // A step whose micro-batches have these gradients with respect to y.
  void step(std::vector<float> planted) {
    component_->gradients.assign(static_cast<std::size_t>(number_), 0.0F);
    component_->gradients.insert(component_->gradients.end(), planted.begin(), planted.end());
    // As many examples as micro-batches: each is a part of the step.
    std::vector<Example*> batch;
    while (example_.size() < planted.size()) example_.push_back(example_.front());
    for (std::size_t i = 0; i < planted.size(); ++i) batch.push_back(&example_[i]);
    training_step_->run({.number = static_cast<std::uint64_t>(number_),
                         .examples = batch,
                         .parts = std::max<std::size_t>(1, planted.size())});
    ++number_;
  }
  void steps(int count, float planted) {
    for (int i = 0; i < count; ++i) step({planted});
  }

  // The weight as the run keeps it: the master, where there is one.
  float weight() const { return cast(param("W").value); }
  // The weight as the model computes with it.
  float used_weight() {
    const Tensor& value = param("W").value;
    RunFormats* formats = session_->formats();
    if (formats == nullptr) return cast(value);
    formats->copies().refresh();
    const Tensor* copy = formats->copies().find(value.cview().data);
    return cast(copy == nullptr ? value : *copy);
  }
  const Parameter& param(std::string_view name) const { return model_->param(name); }
  std::string codes() const {
    std::string all;
    for (const Notice& notice : notices) {
      if (notice.severity != Severity::note) all += notice.code + " ";
    }
    return all;
  }

  PrecisionSession& session() { return *session_; }
  TrainingStep& training_step() { return *training_step_; }
  Planted& component() { return *component_; }
  Optimizer& optimizer() { return *optimizer_; }
  ShardRunner& runner() { return *runner_; }
  Language& nlp() { return nlp_; }
  Model& model() { return *model_; }

  Notices notices;

 private:
  static float cast(const Tensor& tensor);

  ModelPtr model_;
  std::shared_ptr<Planted> component_;
  std::shared_ptr<Language> nlp_pointer_;
  Language& nlp_;
  WorkerPool pool_;
  OptimizerPtr optimizer_;
  std::vector<Example> example_;
  std::unique_ptr<ShardRunner> runner_;
  std::unique_ptr<PrecisionSession> session_;
  std::optional<TrainingStep> training_step_;
  std::int64_t number_ = 0;
};

}  // namespace weft::testing
