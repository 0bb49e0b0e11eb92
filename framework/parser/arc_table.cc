#include "framework/parser/arc_table.h"

#include <algorithm>
#include <set>
#include <utility>

#include "framework/parser/arc_labels.h"
#include "framework/parser/label_count.h"
#include "framework/text/projective.h"
#include "registry/base/letter_case.h"

namespace weft {

using transition::ArcMove;
using transition::kArcMoves;

namespace {

// Shift, reduce, left arc, right arc, sentence break: by the number of the move.
constexpr std::string_view kLetters = "SDLRB";

std::map<std::string, std::int64_t>& of(MoveFrequencies& frequencies, ArcMove move) {
  return frequencies[static_cast<std::size_t>(move)];
}

// Every spelling of it counts as the one.
std::string root_spelling(const std::string& label) {
  return upper_case(label) == kRootLabel ? std::string(kRootLabel) : label;
}

}  // namespace

ArcTable::ArcTable() : frequencies_(kArcMoves) {}

void ArcTable::take(MoveFrequencies frequencies) {
  frequencies_ = std::move(frequencies);
  classes_ = classes_of(frequencies_);
}

ArcTable ArcTable::from_json(std::string_view json, std::string_view source) {
  ArcTable table;
  table.take(moves_from_json(json, kArcMoves, source));
  return table;
}

ArcTable ArcTable::from_bytes(std::string_view bytes, std::string_view source) {
  ArcTable table;
  table.take(moves_from_bytes(bytes, kArcMoves, source).frequencies);
  return table;
}

std::string ArcTable::name(int position) const {
  const MoveClass& one = classes_.at(static_cast<std::size_t>(position));
  const std::string letter(1, kLetters[one.move]);
  return one.label.empty() ? letter : letter + "-" + one.label;
}

std::vector<std::string> ArcTable::labels() const {
  std::set<std::string> sorted;
  for (const MoveClass& one : classes_) {
    if (one.label.empty()) continue;
    const std::size_t cut = one.label.find(kLiftedMark);
    const bool is_lifted = cut != std::string::npos;
    sorted.insert(is_lifted ? one.label.substr(cut + kLiftedMark.size()) : one.label);
  }
  return {sorted.begin(), sorted.end()};
}

std::vector<transition::ArcAction> ArcTable::actions(StringStore& strings) const {
  std::vector<transition::ArcAction> actions;
  for (const MoveClass& one : classes_) {
    actions.push_back({ArcMove{static_cast<std::uint8_t>(one.move)},
                       one.label.empty() ? 0 : strings.add(one.label),
                       one.label == kSubtokenLabel});
  }
  return actions;
}

ArcCounts::ArcCounts() : counts_(kArcMoves) {
  of(counts_, ArcMove::shift)[""] = 1;
  of(counts_, ArcMove::reduce)[""] = 1;
}

// An arc is counted with the move that goes with it: the dependent of a right arc is reduced later,
// that of a left arc was shifted onto the stack before.
void ArcCounts::add(const DependencyTree& tree) {
  for (std::size_t i = 0; i < tree.heads.size(); ++i) {
    const std::string label = root_spelling(tree.labels[i]);
    const auto token = static_cast<std::int32_t>(i);
    if (tree.heads[i] == token) {
      ++of(counts_, ArcMove::sentence)[label];
    } else if (tree.heads[i] < token) {
      ++of(counts_, ArcMove::right)[label];
      ++of(counts_, ArcMove::reduce)[""];
    } else {
      ++of(counts_, ArcMove::left)[label];
      ++of(counts_, ArcMove::shift)[""];
    }
  }
}

ArcTable ArcCounts::table(std::int64_t least, bool subtokens) const {
  MoveFrequencies frequent = counts_;
  for (auto& labels : frequent) {
    std::erase_if(labels, [&](const auto& one) { return one.second < least; });
  }
  // Labels that stand for all others are there even if no tree has them: arcs whose label is too
  // rare, and so has no class, are learnt with these.
  of(frequent, ArcMove::sentence).try_emplace(kRootLabel, 0);
  for (const ArcMove move : {ArcMove::right, ArcMove::left}) {
    if (subtokens) of(frequent, move).try_emplace(kSubtokenLabel, 0);
    of(frequent, move).try_emplace(kOtherLabel, 0);
  }
  LabelCount count("the training data");
  for (const auto& labels : frequent) {
    for (const auto& [label, times] : labels) count.add(label);
  }
  ArcTable table;
  table.take(std::move(frequent));
  return table;
}

}  // namespace weft
