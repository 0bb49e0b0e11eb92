#include "framework/training/logs/logged_values.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/pipeline/score_weights.h"
#include "framework/text/printable.h"
#include "registry/value/json.h"

namespace weft {
namespace {

bool is_number(const Node& node) {
  return node.is_integer() || node.is_float();
}

void add_leaves(const Object& object, std::vector<std::string>& path, bool numbers_alone,
                std::vector<LoggedValue>& found) {
  for (const auto& [key, node] : object) {
    path.push_back(printable(key));
    if (node.is_object()) {
      add_leaves(node.as_object(), path, numbers_alone, found);
    } else if (!numbers_alone || is_number(node)) {
      found.push_back({path, node});
    }
    path.pop_back();
  }
}

std::vector<LoggedValue> all_leaves(const Object& object, bool numbers_alone) {
  std::vector<LoggedValue> found;
  std::vector<std::string> path;
  add_leaves(object, path, numbers_alone, found);
  return found;
}

}  // namespace

std::string LoggedValue::name(std::string_view separator) const {
  return fmt::format("{}", fmt::join(path, separator));
}

double LoggedValue::number() const {
  return number_or_zero(value);
}

std::vector<LoggedValue> numbers_of(const Object& object) {
  return all_leaves(object, true);
}

std::vector<LoggedValue> leaves_of(const Object& object) {
  return all_leaves(object, false);
}

std::vector<LoggedValue> logged_values(const TrainingInfo& info) {
  std::vector<LoggedValue> values;
  const auto add = [&](const char* name, const Node& value, LoggedKind kind) {
    values.push_back({{name}, value, kind});
  };
  add("score", info.score, LoggedKind::final_score);
  add("epoch", info.epoch, LoggedKind::progress);
  add("words", info.words, LoggedKind::progress);
  add("learn_rate", info.learn_rate, LoggedKind::optimizer);
  add("words_per_second", info.words_per_second, LoggedKind::training_speed);
  for (const auto& [name, loss] : info.losses) {
    const std::string component = printable(name);
    values.push_back({{"loss_" + component}, loss, LoggedKind::loss, component});
  }
  std::vector<LoggedValue> scores = numbers_of(info.other_scores);
  for (LoggedValue& score : scores) {
    if (score.path.front() == kSpeedScore) score.kind = LoggedKind::evaluation_speed;
  }
  std::move(scores.begin(), scores.end(), std::back_inserter(values));
  std::set<std::string> names;
  std::erase_if(values, [&](const LoggedValue& one) { return !names.insert(one.name()).second; });
  if (values.size() > kMostLogged) values.resize(kMostLogged);
  return values;
}

std::string number_text(const Node& number) {
  const auto* value = std::get_if<double>(&number.value());
  if (value == nullptr || std::isfinite(*value)) return to_json(number);
  if (std::isnan(*value)) return "nan";
  return *value > 0 ? "inf" : "-inf";
}

}  // namespace weft
