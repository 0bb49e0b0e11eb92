#include "framework/training/growing_loss.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/training/state.h"
#include "registry/base/error.h"
#include "registry/value/number.h"

namespace weft {
namespace {

constexpr double kGrown = 100.0;
constexpr double kNoise = 1e-3;  // of the first loss
constexpr double kFallen = 0.9;  // of the best score

// Throws Error(data) where there is none.
const Node& part_at(const Object& object, std::string_view key) {
  if (const Node* node = object.find(key)) return *node;
  throw Error(ErrorKind::data, fmt::format("the history of losses has no '{}'", key));
}

[[noreturn]] void fail_part(std::string_view key) {
  throw Error(ErrorKind::data, fmt::format("the history of losses has no valid '{}'", key));
}

double number_at(const Object& object, std::string_view key) {
  const auto number = number_in(part_at(object, key));
  if (!number) fail_part(key);
  return *number;
}

const Object& members_of(const Object& object, std::string_view key) {
  const Node& node = part_at(object, key);
  if (!node.is_object()) fail_part(key);
  return node.as_object();
}

std::int64_t step_at(const Object& object) {
  const auto* step = std::get_if<std::int64_t>(&part_at(object, "least_step").value());
  if (step == nullptr || !is_count(*step)) fail_part("least_step");
  return *step;
}

}  // namespace

LossHistory::Known* LossHistory::known_of(const std::string& component, double per_word,
                                          const LossReading& reading) {
  if (const auto found = known_.find(component); found != known_.end()) return &found->second;
  if (per_word > 0.0) return &(known_[component] = {per_word, per_word, reading.step});
  double all = 0.0;
  for (const auto& [name, loss] : reading.losses) all += loss / static_cast<double>(reading.words);
  if (!(all > 0.0)) return nullptr;
  return &(known_[component] = {all, all, reading.step, false});
}

std::optional<GrowingLoss> LossHistory::look_at(const LossReading& reading) {
  const bool has_fallen =
      best_score_ && (*best_score_ <= 0.0 ? reading.score <= *best_score_
                                          : reading.score < kFallen * *best_score_);
  std::optional<GrowingLoss> worst;
  double most = kGrown;
  for (const auto& [component, loss] : reading.losses) {
    if (reading.words <= 0) break;
    const double per_word = loss / static_cast<double>(reading.words);
    Known* known = known_of(component, per_word, reading);
    if (known == nullptr) continue;
    const double bound =
        known->is_own ? std::max(known->least, kNoise * known->first) : kGrown * known->least;
    if (has_fallen && bound > 0.0 && per_word >= most * bound) {
      most = per_word / bound;
      worst = {component, per_word, known->least, known->least_step, *best_score_, known->is_own};
    }
    if (known->is_own && per_word < known->least) {
      known->least = per_word;
      known->least_step = reading.step;
    } else if (!known->is_own && per_word > 0.0 && per_word < kGrown * bound) {
      *known = {known->first, per_word, reading.step};
    }
  }
  best_score_ = std::max(best_score_.value_or(reading.score), reading.score);
  if (told_) return std::nullopt;
  told_ = worst.has_value();
  return worst;
}

Node LossHistory::to_node() const {
  if (!best_score_) return nullptr;
  Object components;
  for (const auto& [component, known] : known_) {
    Object one;
    one.set("first", known.first);
    one.set("least", known.least);
    one.set("least_step", known.least_step);
    if (!known.is_own) one.set("of_all", true);
    components.set(component, std::move(one));
  }
  Object object;
  object.set("components", std::move(components));
  object.set("best_score", *best_score_);
  object.set("told", told_);
  return object;
}

void LossHistory::restore(const Node& saved) {
  *this = {};
  if (saved.is_null()) return;
  if (!saved.is_object()) throw Error(ErrorKind::data, "the history of losses is no object");
  const Object& object = saved.as_object();
  LossHistory read;
  for (const auto& [component, known] : members_of(object, "components")) {
    if (!known.is_object()) fail_part("components");
    const Object& one = known.as_object();
    read.known_[component] = {number_at(one, "first"), number_at(one, "least"), step_at(one),
                              one.find("of_all") == nullptr};
  }
  read.best_score_ = number_at(object, "best_score");
  const Node& told = part_at(object, "told");
  if (!told.is_bool()) fail_part("told");
  read.told_ = told.as_bool();
  *this = std::move(read);
}

std::string growing_loss_message(const GrowingLoss& found, const LossReading& reading,
                                 double learn_rate) {
  return fmt::format(
      "in step {} the loss of component '{}' is {:.3g} per word, where {} {:.3g} in step {}, and "
      "the score {:.4f}, where it was {:.4f}: the run may be diverging; the learning rate is {:g}: "
      "a lower learn_rate may help",
      reading.step, found.component, found.loss_per_word,
      found.is_own ? "it was" : "the losses of all components together were", found.least,
      found.least_step, reading.score, found.best_score, learn_rate);
}

}  // namespace weft
