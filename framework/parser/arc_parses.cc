#include "framework/parser/arc_parses.h"

#include <algorithm>
#include <string>

#include "framework/parser/arc_labels.h"
#include "framework/parser/transition_parses.h"
#include "framework/text/vocab.h"

namespace weft {

using transition::ArcState;
using transition::ArcSystem;

namespace {

struct GoldOfParses {
  std::vector<const transition::ArcGold*> memory;
  ArcSystem::BatchGold placed;
};

}  // namespace

transition::ArcMarks placed_marks(Context& ctx, const transition::ArcMarks& marks,
                                  std::int64_t tokens) {
  return {placed(ctx, marks.sent_start, tokens)};
}

// `row` is where a document's tokens begin among the rows of the batch: features of states are such
// row numbers.
std::vector<ArcState> first_arc_states(std::span<const Doc* const> docs) {
  std::vector<ArcState> states;
  std::int32_t row = 0;
  for (const Doc* doc : docs) {
    states.emplace_back(row, doc->size());
    row += doc->size();
  }
  return states;
}

std::vector<std::int8_t> sentence_marks(std::span<const Doc* const> docs) {
  std::vector<std::int8_t> marks;
  for (const Doc* doc : docs) {
    const auto starts = doc->sent_starts();
    const std::size_t begin = marks.size();
    marks.resize(begin + static_cast<std::size_t>(doc->size()), 0);
    std::copy(starts.begin(), starts.end(), marks.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return marks;
}

ParseBatch arc_parses(const ArcInput& input, std::span<const ArcState> states) {
  return parses_of<ArcSystem>(input, states);
}

TrainingBatch arc_training(const Context& ctx, const ArcInput& input, const ArcTraining& parses,
                           int max_rounds) {
  return training_of<ArcSystem>(
      ctx, input, parses.states, max_rounds, [&parses](Context&, const ParseOrder& order) {
        GoldOfParses gold;
        gold.placed.parses =
            order.sorted(std::span<const transition::ArcGold* const>(parses.gold), gold.memory);
        return gold;
      });
}

DependencyTree tree_of(const Doc& doc, std::span<const std::int32_t> classes,
                       std::span<const transition::ArcAction> actions) {
  DependencyTree tree = dependency_tree(doc);
  ArcState state(0, doc.size());
  for (const std::int32_t taken : classes) {
    transition::apply(state, actions[static_cast<std::size_t>(taken)]);
  }
  for (std::size_t i = 0; i < tree.heads.size(); ++i) {
    const auto token = static_cast<std::int32_t>(i);
    if (state.has_head(token)) {
      tree.heads[i] = state.head(token);
      tree.labels[i] = doc.string(state.label(token));
    }
    // A token that no arc took as a dependent is a root, whatever label it had before.
    if (tree.heads[i] == token) tree.labels[i] = kRootLabel;
  }
  return tree;
}

}  // namespace weft
