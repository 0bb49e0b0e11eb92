// Initialising and updating a pipeline that a program holds. `train` uses the same pieces.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "framework/nn/device_weights.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/init_settings.h"
#include "framework/pipeline/initialize.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/training/example_streams.h"
#include "framework/training/make_optimizer.h"
#include "framework/training/optimizer.h"
#include "framework/training/precision_session.h"
#include "framework/training/seed_functions.h"
#include "framework/training/step.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"

namespace weft {

// State that lives from one update to the next.
struct Language::Training {
  Training(Language& nlp, int threads, std::uint64_t seed)
      : pool(threads), runner(nlp, pool, {.seed = seed}) {}

  // Steps of that optimizer under the policy of [training.precision].
  TrainingStep& steps_of(Language& nlp, const std::shared_ptr<Optimizer>& sgd);
  // Another one, on other threads or another device, takes over what that of the pipeline left.
  static void renew(Language& nlp, int threads, std::shared_ptr<DeviceWeights> weights);

  WorkerPool pool;
  ShardRunner runner;
  std::shared_ptr<Optimizer> optimizer;  // of the steps
  std::unique_ptr<PrecisionSession> precision;
  std::optional<TrainingStep> steps;
  std::uint64_t number = 0;  // of the next step
  std::size_t parts = 0;     // of it that were accumulated
};

namespace {

const Catalogue& needed(const std::unique_ptr<const Catalogue>& catalogue) {
  if (catalogue) return *catalogue;
  throw Error(ErrorKind::usage, "the pipeline was made without a catalogue; see set_catalogue");
}

PrecisionPolicy policy_of(const Config& values, const Catalogue* catalogue) {
  const Node* level = values.find("training.precision.level");
  if (level == nullptr || catalogue == nullptr) return {};
  Problems problems;
  const auto made = resolve_at(values, "training.precision", *catalogue, {}, problems);
  throw_errors(std::move(problems));
  const PrecisionPolicy* policy =
      made->is_product() ? made->product().get<PrecisionPolicy>() : nullptr;
  return policy == nullptr ? PrecisionPolicy() : *policy;
}

void check_names(const Language& nlp, const UpdateOptions& options) {
  for (const auto* names : {&options.exclude, &options.annotates}) {
    for (const std::string& name : *names) {
      if (nlp.find(name) != nullptr) continue;
      throw Error(ErrorKind::usage, fmt::format("the pipeline has no component '{}'", name));
    }
  }
}

}  // namespace

std::shared_ptr<Optimizer> Language::initialize(std::span<const Example> examples) {
  std::vector<ExamplePtr> all;
  for (const Example& example : examples) all.push_back(std::make_shared<Example>(example));
  return initialize([&all] {
    return stream_of([&all, next = std::size_t{0}]() mutable {
      return next < all.size() ? all[next++] : nullptr;
    });
  });
}

std::shared_ptr<Optimizer> Language::initialize() {
  const Example sample = Example::from_reference(Doc::from_words(vocab(), {"x", "y", "z"}));
  return initialize(std::span(&sample, 1));
}

std::shared_ptr<Optimizer> Language::initialize(const std::function<ExampleStreamPtr()>& examples) {
  const Catalogue& catalogue = needed(catalogue_);
  const Config values = expanded(config_);
  throw_errors(init_settings_problems(*this, catalogue));
  Problems problems;
  const auto settings =
      resolve_section<InitializeSettings>(values, "initialize", catalogue, problems);
  throw_errors(std::move(problems));
  initialize_pipeline(*this, *settings, {examples, training_seed(values), {}});
  training_.reset();
  optimizer_ = make_optimizer(values, catalogue);
  return optimizer_;
}

TrainingStep& Language::Training::steps_of(Language& nlp, const std::shared_ptr<Optimizer>& sgd) {
  if (precision && optimizer == sgd) return *steps;
  const Node saved = precision ? precision->state() : Node();
  precision.reset();
  optimizer = sgd;
  optimizer->use(nlp.device_weights());
  // A program is told by exceptions alone.
  precision =
      std::make_unique<PrecisionSession>(policy_of(expanded(nlp.config()), nlp.catalogue_.get()),
                                         nlp, runner, *optimizer, [](const Notice&) {});
  if (!saved.is_null()) precision->restore(saved);
  return steps.emplace(runner, *optimizer, *precision);
}

void Language::Training::renew(Language& nlp, int threads, std::shared_ptr<DeviceWeights> weights) {
  const std::shared_ptr<Training> old = std::move(nlp.training_);
  Gradients pending;
  if (old->runner.gradients().on_device()) {
    pending = old->runner.gradients().on_host();
  } else {
    std::swap(pending, old->runner.gradients());
  }
  const Node saved = old->precision ? old->precision->state() : Node();
  old->precision.reset();  // its session ends before the next one begins
  nlp.device_weights_ = std::move(weights);
  auto fresh = std::make_shared<Training>(nlp, threads, training_seed(expanded(nlp.config_)));
  fresh->number = old->number;
  fresh->parts = old->parts;
  if (nlp.device_weights_) {
    fresh->runner.gradients().take(pending.on_host());
  } else {
    std::swap(fresh->runner.gradients(), pending);
  }
  if (old->optimizer) {
    fresh->steps_of(nlp, old->optimizer);
    if (!saved.is_null()) fresh->precision->restore(saved);
  }
  nlp.training_ = std::move(fresh);
}

Language::Training& Language::training(int threads) {
  threads = std::max(1, threads);
  if (!training_) {
    training_ = std::make_shared<Training>(*this, threads, training_seed(expanded(config_)));
  } else if (training_->pool.threads() != threads) {
    Training::renew(*this, threads, device_weights_);
  }
  return *training_;
}

void Language::run_on(std::shared_ptr<Stream> stream) {
  copy_weights_to_host();
  std::shared_ptr<DeviceWeights> weights;
  if (stream && !stream->is_cpu()) weights = std::make_shared<DeviceWeights>(std::move(stream));
  if (training_) {
    Training::renew(*this, training_->pool.threads(), std::move(weights));
  } else {
    device_weights_ = std::move(weights);
  }
}

void Language::update(std::span<Example> examples, const UpdateOptions& options) {
  check_names(*this, options);
  Training& run = training(options.threads);
  run.runner.choose(options.exclude, options.annotates);
  check_initialized();
  std::vector<Example*> batch;
  for (Example& example : examples) batch.push_back(&example);
  if (!options.sgd && !optimizer_) {
    optimizer_ = make_optimizer(expanded(config_), needed(catalogue_));
  }
  TrainingStep& steps = run.steps_of(*this, options.sgd ? options.sgd : optimizer_);
  const StepBatch step{.number = run.number,
                       .examples = batch,
                       .parts_before = run.parts++,
                       .dropout = options.drop};
  Losses losses;
  try {
    losses = options.step ? steps.run(step) : steps.accumulate(step);
  } catch (const Error& error) {
    // After a step that diverged the next one begins as this one did.
    if (error.kind() == ErrorKind::diverged) {
      run.runner.gradients().clear();
      run.parts = 0;
    }
    throw;
  }
  if (options.losses != nullptr) {
    for (const auto& [name, loss] : losses) (*options.losses)[name] += loss;
  }
  if (!options.step) return;
  ++run.number;
  run.parts = 0;
}

}  // namespace weft
