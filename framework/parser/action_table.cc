#include "framework/parser/action_table.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

namespace weft {

namespace {

constexpr std::array kEntityMoves = {Move::begin, Move::in, Move::last, Move::unit};
constexpr std::string_view kLetters = "MBILUO";

std::size_t number(Move move) {
  return static_cast<std::size_t>(move);
}

// A token without annotation takes no move, and one outside of entities has no label.
bool is_class(const MoveClass& one) {
  const Move move{static_cast<std::uint8_t>(one.move)};
  return move != Move::missing && (move != Move::out || one.label.empty());
}

}  // namespace

// UNIT with the empty label is a class that spaCy's files have; it predicts no entity.
ActionTable::ActionTable() : frequencies_(transition::kMoves) {
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
  // Every move of a label counts the same: how long entities are does not change the classes'
  // order.
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
  // New labels get frequencies below 0 and below all there are. Sorting the table again, as reading
  // a file does, so keeps the new classes behind the old ones: rows of weights stay where they are.
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
  for (const MoveClass& one : classes_of(frequencies_)) {
    if (is_class(one)) classes_.push_back({Move{static_cast<std::uint8_t>(one.move)}, one.label});
  }
}

std::string ActionTable::to_json() const {
  return moves_to_json(frequencies_);
}

ActionTable ActionTable::from_json(std::string_view text, std::string_view source) {
  ActionTable table;
  table.frequencies_ = moves_from_json(text, transition::kMoves, source);
  table.sort();
  return table;
}

std::string ActionTable::to_bytes() const {
  return moves_to_bytes({frequencies_, negative_key_});
}

ActionTable ActionTable::from_bytes(std::string_view bytes, std::string_view source) {
  MovesFile file = moves_from_bytes(bytes, transition::kMoves, source);
  ActionTable table;
  table.frequencies_ = std::move(file.frequencies);
  table.negative_key_ = std::move(file.negative_key);
  table.sort();
  return table;
}

}  // namespace weft
