#include "framework/parser/action_table.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "framework/io/json_bounds.h"
#include "registry/base/error.h"

namespace weft {

namespace {

constexpr std::array kEntityMoves = {Move::begin, Move::in, Move::last, Move::unit};
constexpr std::string_view kLetters = "MBILUO";
constexpr std::int64_t kMostTimes = std::int64_t{1} << 53;

std::size_t number(Move move) {
  return static_cast<std::size_t>(move);
}

Error broken(std::string_view source, const std::string& what) {
  return Error(ErrorKind::data, std::string(source) + ": " + what);
}

// Pairs of frequency and label, largest first.
std::vector<std::pair<std::int64_t, std::string>> descending(
    const std::map<std::string, std::int64_t>& frequencies) {
  std::vector<std::pair<std::int64_t, std::string>> pairs;
  pairs.reserve(frequencies.size());
  for (const auto& [label, frequency] : frequencies) pairs.emplace_back(frequency, label);
  std::sort(pairs.begin(), pairs.end(), std::greater<>());
  return pairs;
}

std::size_t move_number(const std::string& key, std::string_view source) {
  if (key.size() != 1 || key[0] < '0' || key[0] >= '0' + transition::kMoves) {
    throw broken(source, "'" + key + "' is not the number of a move (0 to 5)");
  }
  return static_cast<std::size_t>(key[0] - '0');
}

}  // namespace

ActionTable::ActionTable() {
  frequencies_[number(Move::unit)][""] = 1;
  frequencies_[number(Move::out)][""] = 1;
  sort();
}

std::string ActionTable::name(int position) const {
  const Class& one = classes_.at(static_cast<std::size_t>(position));
  const std::string letter(1, kLetters[number(one.move)]);
  return one.move == Move::out ? letter : letter + "-" + one.label;
}

std::vector<std::string> ActionTable::labels() const {
  std::set<std::string> sorted;
  for (const Class& one : classes_) {
    if (!one.label.empty()) sorted.insert(one.label);
  }
  return {sorted.begin(), sorted.end()};
}

bool ActionTable::has_label(std::string_view label) const {
  return std::any_of(classes_.begin(), classes_.end(),
                     [&](const Class& one) { return one.label == label; });
}

void ActionTable::count(const std::map<std::string, std::int64_t>& times) {
  for (const Move move : kEntityMoves) {
    for (const auto& [label, number_of_times] : times) {
      frequencies_[number(move)][label] += number_of_times;
    }
  }
  sort();
}

bool ActionTable::append(std::string_view label) {
  return append(std::vector<std::string>{std::string(label)}) > 0;
}

int ActionTable::append(const std::vector<std::string>& labels) {
  std::array<std::int64_t, transition::kMoves> lowest = {};
  std::set<std::string, std::less<>> known;
  for (const Class& one : classes_) known.insert(one.label);
  for (const Move move : kEntityMoves) {
    for (const auto& [name, frequency] : frequencies_[number(move)]) {
      lowest[number(move)] = std::min(lowest[number(move)], frequency);
    }
  }
  int appended = 0;
  for (const std::string& label : labels) {
    if (label.empty() || !known.insert(label).second) continue;
    for (const Move move : kEntityMoves) {
      frequencies_[number(move)][label] = --lowest[number(move)];
      classes_.push_back({move, label});
    }
    ++appended;
  }
  return appended;
}

void ActionTable::sort() {
  classes_.clear();
  std::set<std::pair<Move, std::string>> known;
  const auto add_class = [&](Move move, const std::string& label) {
    if (move == Move::missing || (move == Move::out && !label.empty())) return;
    if (known.emplace(move, label).second) classes_.push_back({move, label});
  };
  std::vector<std::pair<std::int64_t, std::string>> appended;
  std::map<std::string, std::vector<Move>> moves_of;
  for (std::size_t m = 0; m < frequencies_.size(); ++m) {
    for (auto& [frequency, label] : descending(frequencies_[m])) {
      if (frequency >= 0) {
        add_class(Move{static_cast<std::uint8_t>(m)}, label);
        continue;
      }
      moves_of[label].push_back(Move{static_cast<std::uint8_t>(m)});
      appended.emplace_back(frequency, label);
    }
  }
  std::sort(appended.begin(), appended.end(), std::greater<>());
  for (const auto& [frequency, label] : appended) {
    for (const Move move : moves_of[label]) add_class(move, label);
  }
}

std::string ActionTable::to_json() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::size_t m = 0; m < frequencies_.size(); ++m) {
    auto labels = nlohmann::ordered_json::object();
    for (const auto& [frequency, label] : descending(frequencies_[m])) labels[label] = frequency;
    json[std::to_string(m)] = std::move(labels);
  }
  return json.dump();
}

ActionTable ActionTable::from_json(std::string_view text, std::string_view source) {
  if (const char* beyond = beyond_json_bounds(text)) {
    throw broken(source, std::string("the moves are ") + beyond);
  }
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) throw broken(source, "the moves are not a JSON object");
  ActionTable table;
  table.frequencies_ = {};
  for (const auto& [key, labels] : json.items()) {
    const std::size_t move = move_number(key, source);
    if (!labels.is_object()) throw broken(source, "move " + key + " is not a map of labels");
    for (const auto& [label, frequency] : labels.items()) {
      if (!frequency.is_number_integer()) {
        throw broken(source, "the frequency of '" + label + "' is not an integer");
      }
      // Labels that come later get lower numbers than all there are.
      const auto times = frequency.get<std::int64_t>();
      if (frequency.get<double>() > kMostTimes || times < -kMostTimes) {
        throw broken(source, "the frequency of '" + label + "' is beyond 2^53");
      }
      table.frequencies_[move][label] = times;
    }
  }
  table.sort();
  return table;
}

}  // namespace weft
