#include "framework/tagging/tree_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "framework/pipeline/label_limit.h"
#include "framework/tensor/highest.h"
#include "registry/base/error.h"

namespace weft {

std::optional<std::int32_t> TreeLabels::find(std::string_view form, std::string_view lemma) const {
  const auto tree = trees_.find(form, lemma);
  if (!tree) return std::nullopt;
  const auto found = classes_.find(*tree);
  return found == classes_.end() ? std::nullopt : std::optional(found->second);
}

void TreeLabels::add(std::string_view form, std::string_view lemma) {
  const TreeNumber tree = trees_.add(form, lemma);
  const auto number = static_cast<std::int32_t>(numbers_.size());
  if (!classes_.try_emplace(tree, number).second) return;
  numbers_.push_back(tree);
  require_few_labels(numbers_.size(), "edit trees that are learnt");
}

void TreeLabels::add_trees_of(const Doc& doc) {
  for (int i = 0; i < doc.size(); ++i) {
    const StringId lemma = doc.value(Attr::lemma, i);
    if (lemma != 0) trees_.add(doc.word(i), doc.string(lemma));
  }
}

void TreeLabels::keep_texts(StringStore& strings) const {
  trees_.for_each_text([&](std::string_view text) { strings.add(text); });
}

// Sorted as texts, not as numbers: "10" comes before "9".
std::vector<std::string> TreeLabels::names() const {
  std::vector<std::string> names;
  for (const TreeNumber tree : numbers_) names.push_back(std::to_string(tree));
  std::sort(names.begin(), names.end());
  return names;
}

List TreeLabels::numbers() const {
  List list;
  for (const TreeNumber tree : numbers_) list.emplace_back(std::int64_t{tree});
  return list;
}

Object TreeLabels::to_object() const {
  Object object;
  object.set("trees", trees_.to_list());
  object.set("labels", numbers());
  return object;
}

TreeLabels TreeLabels::from_object(const Node& data, const std::string& source) {
  const auto part = [&](const char* key) -> const Node& {
    const Node* value = data.is_object() ? data.as_object().find(key) : nullptr;
    if (value != nullptr && value->is_list()) return *value;
    throw Error(ErrorKind::data, fmt::format("{}: no list \"{}\"", source, key));
  };
  TreeLabels labels;
  labels.take_numbers(part("labels"), source);
  labels.take_trees(EditTrees::from_list(part("trees"), source), source);
  return labels;
}

void TreeLabels::take_numbers(const Node& numbers, const std::string& source) {
  if (!numbers.is_list()) throw Error(ErrorKind::data, source + ": labels are a list of numbers");
  require_few_labels(numbers.as_list().size(), source);
  numbers_.clear();
  for (const Node& item : numbers.as_list()) {
    const auto* number = std::get_if<std::int64_t>(&item.value());
    if (number == nullptr || *number < 0 || *number >= kNoTree) {
      throw Error(ErrorKind::data, source + ": a label is no number of an edit tree");
    }
    numbers_.push_back(static_cast<TreeNumber>(*number));
  }
  index();
}

void TreeLabels::take_trees(EditTrees trees, const std::string& source) {
  for (const TreeNumber tree : numbers_) {
    if (tree < trees.size()) continue;
    throw Error(ErrorKind::data, fmt::format("{}: the label {} is none of its {} edit trees",
                                             source, tree, trees.size()));
  }
  trees_ = std::move(trees);
}

// A tree that is a label twice is the first.
void TreeLabels::index() {
  classes_.clear();
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    classes_.try_emplace(numbers_[i], static_cast<std::int32_t>(i));
  }
}

void TreeCounts::add(const Doc& doc) {
  for (int i = 0; i < doc.size(); ++i) {
    const StringId lemma = doc.value(Attr::lemma, i);
    if (lemma == 0) continue;
    const auto [pair, is_new] = known_.try_emplace({std::string(doc.word(i)), lemma});
    if (is_new) pair->second = trees_.add(doc.word(i), doc.string(lemma));
    // Pairs of form and lemma repeat in a corpus far more often than trees do, so known pairs are
    // looked up instead of being compared again.
    Count& count = counts_[pair->second];
    if (count.times++ == 0) order_.push_back(pair->second);
    count.last = {std::string(doc.word(i)), std::string(doc.string(lemma))};
  }
}

TreeLabels TreeCounts::labels(int at_least) const {
  TreeLabels labels;
  for (const TreeNumber tree : order_) {
    const Count& count = counts_.at(tree);
    if (count.times >= at_least) labels.add(count.last.first, count.last.second);
  }
  return labels;
}

std::vector<std::int32_t> best_of(std::span<const float> scores, int most) {
  constexpr int kFew = 20;
  if (most == 1) return {static_cast<std::int32_t>(first_highest(scores))};
  std::vector<std::int32_t> classes(scores.size());
  std::iota(classes.begin(), classes.end(), 0);
  const auto count = std::min(classes.size(), static_cast<std::size_t>(most));
  // A NaN is the lowest, or there would be no order.
  const auto score = [&](std::int32_t number) {
    const float value = scores[static_cast<std::size_t>(number)];
    return std::isnan(value) ? -std::numeric_limits<float>::infinity() : value;
  };
  const auto before = [&](std::int32_t a, std::int32_t b) {
    const float left = score(a), right = score(b);
    if (left != right) return left > right;
    return most > kFew ? a > b : a < b;
  };
  std::partial_sort(classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(count),
                    classes.end(), before);
  classes.resize(count);
  return classes;
}

}  // namespace weft
