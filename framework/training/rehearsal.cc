#include "framework/training/rehearsal.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/rehearsing.h"
#include "framework/pipeline/setting_error.h"
#include "framework/pipeline/sourced_component.h"
#include "framework/text/printable.h"
#include "framework/training/batch_update.h"
#include "registry/base/error.h"
#include "registry/value/number.h"

namespace weft {
namespace {

std::string loss_name(const std::string& component) {
  return "rehearsal_" + component;
}

struct Counter {
  const char* name;
  std::int64_t BatchPosition::*member;
};
constexpr Counter kCounters[] = {{"epoch", &BatchPosition::epoch},
                                 {"batches_taken", &BatchPosition::batches_taken},
                                 {"sizes_taken", &BatchPosition::sizes_taken},
                                 {"sizes_at_epoch_start", &BatchPosition::sizes_at_epoch_start}};

[[noreturn]] void fail(const std::string& key) {
  throw Error(ErrorKind::data, fmt::format("the state of the rehearsal has no valid '{}'", key));
}

const Node& member_of(const Node& node, const std::string& key) {
  const Node* found = node.is_object() ? node.as_object().find(key) : nullptr;
  if (found == nullptr) fail(key);
  return *found;
}

BatchPosition position_in(const Node& node) {
  BatchPosition position;
  for (const Counter& counter : kCounters) {
    const auto* count = std::get_if<std::int64_t>(&member_of(node, counter.name).value());
    if (count == nullptr || *count < 0) fail(counter.name);
    position.*counter.member = *count;
  }
  return position;
}

LabelScores scores_in(const Node& node, const std::string& key) {
  LabelScores scores;
  const Node& found = member_of(node, key);
  if (!found.is_object()) fail(key);
  for (const auto& [label, score] : found.as_object()) {
    const std::optional<double> number = number_in(score);
    if (!number || !std::isfinite(*number)) fail(key);
    scores[label] = *number;
  }
  return scores;
}

Object to_object(const LabelScores& scores) {
  Object object;
  for (const auto& [label, score] : scores) object.set(label, score);
  return object;
}

}  // namespace

// The config with a shorter pipeline: sourced components alone, with the weights that they have in
// their sources.
std::shared_ptr<Language> make_tutor(const Config& config, const Catalogue& catalogue) {
  const Config values = expanded(config);
  List sourced;
  const Node* pipeline = values.find("nlp.pipeline");
  for (const Node& name :
       pipeline != nullptr && pipeline->is_list() ? pipeline->as_list() : List()) {
    if (name.is_string() && sourced_component(values, name.as_string())) sourced.push_back(name);
  }
  Config kept = config;
  kept.find("nlp")->as_object().set("pipeline", std::move(sourced));
  auto tutor = build_pipeline(kept, catalogue);
  const auto can = [](const NamedComponent& named) {
    return named.enabled && dynamic_cast<const Rehearsing*>(named.component.get()) != nullptr;
  };
  if (std::any_of(tutor->pipeline().begin(), tutor->pipeline().end(), can)) return tutor;
  throw setting_error("training.rehearsal",
                      "no component with a `source` can rehearse; those that can are entity "
                      "recognizers, parsers, taggers and text classifiers");
}

Rehearsal::Rehearsal(Language& nlp, std::shared_ptr<Language> tutor, const Reader& corpus,
                     const Batcher& batcher, const RehearsalSettings& settings, std::uint64_t seed,
                     const Node& state)
    : nlp_(nlp), tutor_(std::move(tutor)), settings_(settings) {
  if (!state.is_null()) {
    position_ = position_in(member_of(state, "position"));
    before_ = scores_in(state, "before");
    best_ = scores_in(state, "best");
    last_ = scores_in(state, "last");
  }
  // Passes come in another order than those of the training data.
  constexpr std::uint64_t another = 0x5eed;
  batches_ = std::make_unique<TrainingBatches>(
      corpus, nlp, batcher, TrainingBatches::Options{.seed = seed ^ another}, position_);
}

Rehearsal::~Rehearsal() = default;

std::vector<std::string> Rehearsal::loss_names() const {
  std::vector<std::string> names;
  for (const NamedComponent& named : tutor_->pipeline()) {
    if (dynamic_cast<const Rehearsing*>(named.component.get()) == nullptr) continue;
    names.push_back(loss_name(named.name));
  }
  return names;
}

// The position moves on only in steps that rehearse; checkpoints keep it, so that a run that goes
// on sees the same batches.
Losses Rehearsal::run(ShardRunner& runner, std::int64_t step) {
  if (step % settings_.every != 0) return {};
  std::vector<ExamplePtr> batch = batches_->next();
  const std::vector<Example*> examples = examples_of(batch);
  Losses losses;
  for (const auto& [name, loss] :
       runner.rehearse(examples, *tutor_, settings_.weight, static_cast<std::uint64_t>(step))) {
    losses[loss_name(name)] = loss;
  }
  return losses;
}

// Of scores that have an F for each label, those of the labels that a tutor knows.
LabelScores Rehearsal::of_labels(const Scores& scores) const {
  std::set<std::string> known;
  for (const NamedComponent& named : tutor_->pipeline()) {
    const auto labels = named.component->labels();
    known.insert(labels.begin(), labels.end());
  }
  LabelScores found;
  for (const auto& [name, node] : scores) {
    if (!node.is_object()) continue;
    for (const auto& [label, parts] : node.as_object()) {
      const Node* f = parts.is_object() ? parts.as_object().find("f") : nullptr;
      if (f == nullptr || !f->is_float() || known.count(label) == 0) continue;
      found[fmt::format("{}: {}", name, label)] = f->as_float();
    }
  }
  return found;
}

void Rehearsal::evaluated(const Scores& scores, bool is_best) {
  last_ = of_labels(scores);
  if (is_best || best_.empty()) best_ = last_;
}

// In points, hundredths of F. A label that is not scored any more counts as lost altogether.
double Rehearsal::change_of(const std::string& label, const LabelScores& now) const {
  const auto found = now.find(label);
  return 100.0 * ((found == now.end() ? 0.0 : found->second) - before_.at(label));
}

std::string Rehearsal::table() const {
  if (before_.empty()) return "";
  std::string text = fmt::format("\n{:<32}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}\n", "OLD LABEL",
                                 "F BEFORE", "BEST", "CHANGE", "LAST", "CHANGE");
  text += fmt::format("{0:-<32}  {0:-<8}  {0:-<8}  {0:-<8}  {0:-<8}  {0:-<8}\n", "");
  for (const auto& [label, score] : before_) {
    text += fmt::format("{:<32}  {:>8.2f}", printable_brief(label), 100.0 * score);
    for (const LabelScores* now : {&best_, &last_}) {
      const double change = change_of(label, *now);
      text += fmt::format("  {:>8.2f}  {:>+8.2f}", 100.0 * score + change, change);
    }
    text += '\n';
  }
  return text;
}

std::string Rehearsal::lost_too_much() const {
  std::string text;
  if (!settings_.max_drop) return text;
  for (const auto& [name, now] :
       {std::pair("model-best", &best_), std::pair("model-last", &last_)}) {
    for (const auto& [label, score] : before_) {
      const double drop = -change_of(label, *now);
      if (drop <= *settings_.max_drop) continue;
      text += fmt::format("{}{} lost {:.2f} in {}", text.empty() ? "" : ", ",
                          printable_brief(label), drop, name);
    }
  }
  return text;
}

Node Rehearsal::state() const {
  Object position;
  for (const Counter& counter : kCounters) position.set(counter.name, position_.*counter.member);
  Object state;
  state.set("position", std::move(position));
  state.set("before", to_object(before_));
  state.set("best", to_object(best_));
  state.set("last", to_object(last_));
  return state;
}

}  // namespace weft
