#include "framework/pipeline/initialize.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/nn/model.h"
#include "framework/ops/context.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/error.h"

namespace weft {
namespace {

constexpr std::size_t kSampleSize = 10;

void refuse_unbuilt(bool asked, std::string_view key) {
  if (!asked) return;
  throw Error(ErrorKind::config, fmt::format("[initialize] {}: known, not built yet", key));
}

void call(const std::optional<Callback>& callback, Language& nlp) {
  if (!callback) return;
  CallbackCall arguments{nlp};
  callback->call(arguments);
}

std::vector<ExamplePtr> sample_of(const InitializeOptions& options) {
  const ExampleStreamPtr stream = options.examples();
  std::vector<ExamplePtr> sample;
  while (sample.size() < kSampleSize) {
    ExamplePtr example = stream->next();
    if (!example) break;
    sample.push_back(std::move(example));
  }
  if (sample.empty()) throw Error(ErrorKind::data, "there is no example in the training data");
  return sample;
}

Object settings_of(const InitializeSettings& settings, const std::string& name) {
  Object object;
  const auto found = settings.components.find(name);
  if (found == settings.components.end()) return object;
  for (const auto& [key, value] : found->second) {
    if (!value.is_data()) {
      throw Error(ErrorKind::config, fmt::format("[initialize.components.{}] {}: {} is no data",
                                                 name, key, value.type_name()));
    }
    object.set(key, value.data());
  }
  return object;
}

bool is_left_alone(const NamedComponent& component, const InitializeOptions& options) {
  return component.sourced || !component.enabled ||
         std::find(options.frozen.begin(), options.frozen.end(), component.name) !=
             options.frozen.end();
}

void check_names(const Language& nlp, const InitializeSettings& settings) {
  for (const auto& [name, unused] : settings.components) {
    if (nlp.find(name) != nullptr) continue;
    throw Error(
        ErrorKind::config,
        fmt::format("[initialize.components.{}]: the pipeline has no such component", name));
  }
}

}  // namespace

void initialize_pipeline(Language& nlp, const InitializeSettings& settings,
                         const InitializeOptions& options) {
  refuse_unbuilt(settings.vectors.has_value(), "vectors");
  refuse_unbuilt(settings.init_tok2vec.has_value(), "init_tok2vec");
  refuse_unbuilt(settings.vocab_data.has_value(), "vocab_data");
  refuse_unbuilt(
      settings.lookups && !(settings.lookups->is_data() && settings.lookups->data().is_null()),
      "lookups");
  refuse_unbuilt(!settings.tokenizer.empty(), "tokenizer");
  check_names(nlp, settings);
  call(settings.before_init, nlp);
  const std::vector<ExamplePtr> sample = sample_of(options);
  const FlushDenormals flush;
  Context ctx;
  InitRandom random(options.seed);
  for (const NamedComponent& component : nlp.pipeline()) {
    if (is_left_alone(component, options)) continue;
    const Object own = settings_of(settings, component.name);
    InitContext init{ctx, random, options.examples, sample, own};
    component.component->initialize(init);
    ctx.end_step();
  }
  call(settings.after_init, nlp);
}

}  // namespace weft
