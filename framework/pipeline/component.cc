#include "framework/pipeline/component.h"

#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/score_sessions.h"
#include "registry/base/error.h"
#include "registry/functions/signature.h"

namespace weft {
namespace {

[[noreturn]] void refuse_ranks(const std::string& component) {
  throw Error(ErrorKind::config,
              fmt::format("component '{}' cannot be trained on several ranks: it does not say how "
                          "the results of its shards are sent (Component::pack_kept)",
                          component));
}

}  // namespace

const Node* InitContext::given(std::string_view setting) const {
  const Node* value = settings.find(setting);
  return value == nullptr || value->is_null() ? nullptr : value;
}

Signature Component::init_settings() const {
  return {};
}

void Component::bind(std::string name, std::shared_ptr<const Vocab> vocab) {
  name_ = std::move(name);
  vocab_ = std::move(vocab);
}

void Component::begin_batch(Batch&) {}
void Component::update(ShardUpdate&) const {}
void Component::end_batch(Batch&) {}

std::string Component::pack_kept(const std::any&) const {
  refuse_ranks(name_);
}

std::any Component::unpack_kept(std::string_view) const {
  refuse_ranks(name_);
}
void Component::forward_frozen(ShardUpdate&) const {}

Scores Component::score(std::span<const Example>) const {
  return {};
}

ScoreSessionPtr Component::start_scores() const {
  return score_all_at_end([this](std::span<const Example> examples) { return score(examples); });
}

void Component::to_disk(const std::filesystem::path&) const {}
void Component::from_disk(const std::filesystem::path&) {}

Node Component::training_state() const {
  return nullptr;
}

void Component::set_training_state(const Node& state) {
  if (state.is_null()) return;
  throw Error(ErrorKind::data,
              fmt::format("component '{}' has no state of its training, but one is given", name_));
}

std::vector<ModelPtr> Component::models() const {
  return {};
}
std::vector<std::string> Component::labels() const {
  return {};
}
Node Component::label_data() const {
  return nullptr;
}
const AnnotationKind* Component::annotation() const {
  return nullptr;
}

bool Component::add_label(std::string_view label) {
  throw Error(ErrorKind::usage,
              fmt::format("component '{}' takes no labels (got '{}')", name_, label));
}

}  // namespace weft
