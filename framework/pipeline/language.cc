#include "framework/pipeline/language.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/nn/device_weights.h"
#include "framework/nn/missing_parameter.h"
#include "framework/nn/model.h"
#include "framework/ops/context.h"
#include "framework/pipeline/component_name.h"
#include "framework/pipeline/packed_cache.h"
#include "framework/pipeline/slots.h"
#include "framework/pipeline/takes_phrases.h"
#include "framework/text/make_doc.h"
#include "registry/base/error.h"
#include "registry/functions/catalogue.h"
#include "registry/value/json.h"

namespace weft {
namespace {

std::vector<Parameter*> parameters_of(std::span<const NamedComponent> pipeline) {
  std::vector<Parameter*> all;
  for (const NamedComponent& component : pipeline) {
    for (const ModelPtr& root : component.component->models()) {
      for (Model* node : root->walk()) {
        for (const auto& parameter : node->params()) all.push_back(parameter.get());
      }
    }
  }
  return all;
}

}  // namespace

Language::Language(Config config, NlpSettings settings)
    : config_(std::move(config)),
      settings_(std::move(settings)),
      vocab_(std::make_shared<Vocab>(settings_.lang)),
      const_vocab_(vocab_),
      packed_cache_(std::make_unique<PackedCache>()) {}

Language::~Language() = default;

// Packed numbers are of the formats that they were packed for.
void Language::set_formats(std::shared_ptr<RunFormats> formats) {
  packed_cache_->forget();
  formats_ = std::move(formats);
}

void Language::set_tokenizer(std::shared_ptr<const Tokenizer> tokenizer) {
  tokenizer_ = std::move(tokenizer);
}

void Language::set_tokenizer(std::function<std::shared_ptr<const Tokenizer>()> make) {
  tokenizer_ = nullptr;
  make_tokenizer_ = std::move(make);
}

// Compiling the rules of a language takes time that a pipeline with a tokenizer of its own, read
// from disk, need not spend.
const Tokenizer& Language::made_tokenizer() const {
  if (!make_tokenizer_) throw Error(ErrorKind::usage, "the pipeline has no tokenizer yet");
  tokenizer_ = make_tokenizer_();
  return *tokenizer_;
}

void Language::set_catalogue(const Catalogue& catalogue) {
  catalogue_ = std::make_unique<const Catalogue>(catalogue);
}

// Two names that differ only in a way that the file system does not see would share a folder.
// Layers get their names here, as they contain the component's.
void Language::add(NamedComponent component) {
  const std::string fault = fault_of_component_name(component.name);
  if (!fault.empty()) {
    throw Error(ErrorKind::config, fmt::format("{} {}", to_json_string(component.name), fault));
  }
  for (const NamedComponent& other : pipeline_) {
    if (!same_component_folder(other.name, component.name)) continue;
    throw Error(ErrorKind::config,
                fmt::format("the pipeline has a component '{}' already; the state of '{}' would be "
                            "saved in the same folder",
                            other.name, component.name));
  }
  component.component->bind(component.name, const_vocab_);
  for (const ModelPtr& model : component.component->models()) model->name_sites(component.name);
  if (auto* taker = dynamic_cast<TakesPhrases*>(component.component.get())) {
    taker->set_make_phrase(phrases_of(*this, pipeline_.size()));
  }
  pipeline_.push_back(std::move(component));
  is_initialized_ = false;
}

PredictedValues Language::predicted_values() const {
  PredictedValues values;
  for (const NamedComponent& component : pipeline_) {
    if (component.enabled) values += component.component->predicted_values();
  }
  return values;
}

Component* Language::find(std::string_view name) const {
  const auto found =
      std::find_if(pipeline_.begin(), pipeline_.end(),
                   [&](const NamedComponent& component) { return component.name == name; });
  return found == pipeline_.end() ? nullptr : found->component.get();
}

std::vector<std::string> Language::trainable(std::span<const std::string> frozen) const {
  std::vector<std::string> names;
  for (const NamedComponent& component : pipeline_) {
    const bool is_frozen = names_contain(frozen, component.name);
    if (component.enabled && !is_frozen && component.component->is_trainable()) {
      names.push_back(component.name);
    }
  }
  return names;
}

// A walk over all parameters, once: the flag that is set at its end spares it for every later call.
// Several threads may find the same at the same time.
void Language::check_initialized() const {
  if (is_initialized_) return;
  for (const NamedComponent& component : pipeline_) {
    if (!component.enabled) continue;
    for (const ModelPtr& root : component.component->models()) {
      if (missing_parameter(*root) == nullptr) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("component '{}' has no parameters yet: initialise the pipeline, "
                              "or load one that was trained",
                              component.name));
    }
  }
  is_initialized_ = true;
}

std::shared_ptr<Stream> Language::stream() const {
  return device_weights_ ? device_weights_->stream() : std::make_shared<Stream>();
}

// Gives the device the weights of the pipeline; those that it has already are not sent again.
void Language::send_weights() const {
  if (device_weights_) device_weights_->refresh(parameters_of(pipeline_));
}

void Language::copy_weights_to_host() const {
  if (device_weights_) return device_weights_->fetch();
  for (Parameter* parameter : parameters_of(pipeline_)) {
    if (parameter->deferred) parameter->deferred->change_all();
  }
}

Doc Language::make_doc(std::string_view text) const {
  return weft::make_doc(tokenizer(), const_vocab_, text);
}

Doc Language::operator()(std::string_view text) const {
  Doc doc = make_doc(text);
  Doc* const docs[] = {&doc};
  annotate(docs);
  return doc;
}

}  // namespace weft
