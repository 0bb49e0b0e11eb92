#include "framework/parser/beam_histories.h"

#include <algorithm>
#include <cstddef>

namespace weft {

std::int32_t BeamHistories::extended(std::int32_t history, std::int32_t taken) {
  const auto number = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({.before = history, .taken = taken, .length = length(history) + 1});
  return number;
}

std::int32_t BeamHistories::shared(std::int32_t history, std::int32_t taken) {
  // A history is made longer in one step alone, so `first` is of this one or of none.
  for (std::int32_t one = at(history).first; one >= step_begin_; one = at(one).next) {
    if (at(one).taken == taken) return one;
  }
  const std::int32_t number = extended(history, taken);
  at(number).next = at(history).first;
  at(history).first = number;
  return number;
}

std::vector<std::int32_t> BeamHistories::classes(std::int32_t history) const {
  std::vector<std::int32_t> classes(static_cast<std::size_t>(length(history)));
  for (auto place = classes.rbegin(); place != classes.rend(); ++place) {
    *place = taken(history);
    history = before(history);
  }
  return classes;
}

// Marks what is still referred to, then moves it to the front. A history always has a larger number
// than the one before it, so one pass in ascending order finds every predecessor already moved. The
// next cleaning comes when the tree has doubled, so that all cleanings together take time by what
// was added.
void BeamHistories::keep(std::span<std::int32_t* const> used) {
  std::vector<std::int32_t> number(nodes_.size(), kNone);
  number[kEmpty] = kEmpty;
  for (const std::int32_t* history : used) {
    for (std::int32_t one = *history; number[static_cast<std::size_t>(one)] == kNone;
         one = before(one)) {
      number[static_cast<std::size_t>(one)] = kEmpty;  // is kept; gets its number below
    }
  }
  std::size_t kept = 1;
  for (std::size_t one = 1; one < nodes_.size(); ++one) {
    if (number[one] == kNone) continue;
    Node node = nodes_[one];
    node.before = number[static_cast<std::size_t>(node.before)];  // came before, so is placed
    node.next = node.first = kNone;
    number[one] = static_cast<std::int32_t>(kept);
    nodes_[kept++] = node;
  }
  nodes_.resize(kept);
  nodes_[kEmpty].first = kNone;
  for (std::int32_t* history : used) *history = number[static_cast<std::size_t>(*history)];
  step_begin_ = static_cast<std::int32_t>(kept);
  crowded_at_ = std::max(kFew, 2 * kept);
}

}  // namespace weft
