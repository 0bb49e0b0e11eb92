#include "framework/parser/move_table.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <nlohmann/json.hpp>

#include "framework/io/json_bounds.h"
#include "framework/parser/label_count.h"
#include "registry/base/error.h"

namespace weft {

namespace {

// Up to this number JSON readers that take numbers as f64 get whole numbers exactly.
constexpr std::int64_t kMostTimes = std::int64_t{1} << 53;

Error broken(std::string_view source, const std::string& what) {
  return Error(ErrorKind::data, std::string(source) + ": " + what);
}

// Pairs of frequency and label, largest first.
// Ties are ordered by the label, descending as well: that is the order of Python's sort on pairs,
// reversed, and with it the order of rows in spaCy's weights.
std::vector<std::pair<std::int64_t, std::string>> descending(
    const std::map<std::string, std::int64_t>& frequencies) {
  std::vector<std::pair<std::int64_t, std::string>> pairs;
  pairs.reserve(frequencies.size());
  for (const auto& [label, frequency] : frequencies) pairs.emplace_back(frequency, label);
  std::sort(pairs.begin(), pairs.end(), std::greater<>());
  return pairs;
}

std::size_t move_number(const std::string& key, std::size_t moves, std::string_view source) {
  if (key.size() != 1 || key[0] < '0' || key[0] >= '0' + static_cast<int>(moves)) {
    throw broken(source, "'" + key + "' is not the number of a move (0 to " +
                             std::to_string(moves - 1) + ")");
  }
  return static_cast<std::size_t>(key[0] - '0');
}

std::int64_t times_of(const nlohmann::json& frequency, const std::string& label,
                      std::string_view source) {
  if (!frequency.is_number_integer()) {
    throw broken(source, "the frequency of '" + label + "' is not an integer");
  }
  // Labels that come later get lower numbers than all there are.
  const auto times = frequency.get<std::int64_t>();
  if (frequency.get<double>() > kMostTimes || times < -kMostTimes) {
    throw broken(source, "the frequency of '" + label + "' is beyond 2^53");
  }
  return times;
}

}  // namespace

std::vector<MoveClass> classes_of(const MoveFrequencies& frequencies) {
  std::vector<MoveClass> classes;
  std::vector<std::pair<std::int64_t, std::string>> appended;
  std::map<std::string, std::vector<std::size_t>> moves_of;
  for (std::size_t move = 0; move < frequencies.size(); ++move) {
    for (auto& [frequency, label] : descending(frequencies[move])) {
      if (frequency >= 0) {
        classes.push_back({move, label});
        continue;
      }
      auto& moves = moves_of[label];
      moves.push_back(move);
      appended.emplace_back(frequency, label);
    }
  }
  std::sort(appended.begin(), appended.end(), std::greater<>());
  for (const auto& [frequency, label] : appended) {
    // A label that was added later has several moves in `appended`; the first of them brings all
    // along, so its classes stand together, and the others find none left.
    for (const std::size_t move : std::exchange(moves_of[label], {})) {
      classes.push_back({move, label});
    }
  }
  return classes;
}

std::string moves_to_json(const MoveFrequencies& frequencies) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::size_t move = 0; move < frequencies.size(); ++move) {
    auto labels = nlohmann::ordered_json::object();
    // Each label is there once: to look for its key among those before it would take the square.
    auto& entries = labels.get_ref<nlohmann::ordered_json::object_t&>();
    for (const auto& [frequency, label] : descending(frequencies[move])) {
      entries.emplace_back(label, frequency);
    }
    json[std::to_string(move)] = std::move(labels);
  }
  return json.dump();
}

MoveFrequencies moves_from_json(std::string_view text, std::size_t moves, std::string_view source) {
  // Depth and size are checked before the parser recurses: the file may come from anywhere.
  if (const char* beyond = beyond_json_bounds(text)) {
    throw broken(source, std::string("the moves are ") + beyond);
  }
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) throw broken(source, "the moves are not a JSON object");
  MoveFrequencies frequencies(moves);
  LabelCount count{std::string(source)};
  for (const auto& [key, labels] : json.items()) {
    const std::size_t move = move_number(key, moves, source);
    if (!labels.is_object()) throw broken(source, "move " + key + " is not a map of labels");
    for (const auto& [label, frequency] : labels.items()) {
      count.add(label);
      frequencies[move][label] = times_of(frequency, label, source);
    }
  }
  return frequencies;
}

}  // namespace weft
