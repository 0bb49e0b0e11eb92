#include "framework/pipeline/initialize.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/io/mapped_file.h"
#include "framework/nn/model.h"
#include "framework/nn/model_file.h"
#include "framework/ops/context.h"
#include "framework/pipeline/adopt_error.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/frozen.h"
#include "framework/pipeline/init_fault.h"
#include "framework/pipeline/init_settings.h"
#include "framework/pipeline/init_vocab.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/pretrained_layer.h"
#include "framework/pipeline/setting_error.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t kSampleSize = 10;

// The first examples, as many as spaCy takes: sizes of layers are inferred from them.
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

bool is_left_alone(const NamedComponent& component, const InitializeOptions& options) {
  return component.sourced || !component.enabled ||
         std::find(options.frozen.begin(), options.frozen.end(), component.name) !=
             options.frozen.end();
}

void load_pretrained(const Language& nlp, const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) {
    throw setting_error("initialize.init_tok2vec", fmt::format("there is no file '{}'", file));
  }
  const LayerChoice choice = layer_choice(expanded(nlp.config()));
  if (choice.component.empty()) {
    throw setting_error("initialize.init_tok2vec",
                        "it needs [pretraining] component: the name of the component that the "
                        "weights belong to");
  }
  if (!model_from_bytes(*pretrained_layer(nlp, choice), MappedFile(file).bytes(), file)) {
    throw setting_error("initialize.init_tok2vec", fmt::format("'{}' has no weights", file));
  }
}

// A frozen component is used as it is: it has to bring its weights along.
void check_frozen(const Language& nlp, const InitializeOptions& options) {
  for (const std::string& name : options.frozen) {
    for (const NamedComponent& component : nlp.pipeline()) {
      if (component.name != name || !component.enabled) continue;
      if (!lacks_weights(*component.component)) continue;
      throw setting_error("training.frozen_components", no_weights_to_keep(name));
    }
  }
}

// A sourced component is not initialised, as it goes on from where it was; one whose source was
// saved before it was trained has nothing to go on from.
void check_sourced(const Language& nlp) {
  for (const NamedComponent& component : nlp.pipeline()) {
    if (!component.enabled || !component.sourced || !lacks_weights(*component.component)) continue;
    throw setting_error(
        fmt::format("components.{}.source", component.name),
        "the pipeline there was saved before it was initialised, and has no weights");
  }
}

// A fault of the config that the component finds is told with the place of its section.
void initialize_placed(const Language& nlp, const NamedComponent& component, InitContext& init) {
  const std::string path = "components." + component.name;
  const Node* section = nlp.config().find(path);
  Problems problems;
  run_adopting(path, section == nullptr ? Origin() : section->origin, problems,
               [&] { component.component->initialize(init); });
  throw_errors(std::move(problems));
}

// Before a component asks for the examples, its settings are what it finds fault with.
void initialize_component(const Language& nlp, const NamedComponent& component, InitContext& init) {
  std::vector<std::string> given;
  for (const auto& [key, value] : init.settings) {
    if (!value.is_null()) given.push_back(key);
  }
  bool reads = false;
  init.examples = [&reads, open = std::move(init.examples)] {
    reads = true;
    return open();
  };
  run_blaming(
      nlp, "initialize.components." + component.name, given,
      [&] { initialize_placed(nlp, component, init); }, [&] { return !reads && !given.empty(); });
}

}  // namespace

// The order counts. The vocabulary with its vectors comes before the components, whose sizes may
// follow from it; pretrained weights come after them, into layers that have their shapes. All
// components draw from one source of random numbers, in the order of the pipeline.
void initialize_pipeline(Language& nlp, const InitializeSettings& settings,
                         const InitializeOptions& options) {
  call_placed(settings.before_init, nlp, "initialize.before_init");
  init_vocab(nlp, settings);
  const std::vector<ExamplePtr> sample = sample_of(options);
  const FlushDenormals flush;
  Context ctx;
  InitRandom random(options.seed);
  for (const NamedComponent& component : nlp.pipeline()) {
    if (is_left_alone(component, options)) continue;
    const Object own = component_settings(nlp, component, settings);
    InitContext init{ctx, random, options.examples, sample, own};
    initialize_component(nlp, component, init);
    ctx.end_step();
  }
  if (settings.init_tok2vec) {
    run_blaming(nlp, "initialize.init_tok2vec",
                [&] { load_pretrained(nlp, *settings.init_tok2vec); });
  }
  call_placed(settings.after_init, nlp, "initialize.after_init");
  check_sourced(nlp);
  check_frozen(nlp, options);
}

}  // namespace weft
