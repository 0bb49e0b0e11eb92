#include "framework/tagging/edit_trees.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/unicode/code_points.h"

namespace weft {
namespace {

// form[form_start, +length) = lemma[lemma_start, +length)
struct Common {
  std::size_t form_start = 0, lemma_start = 0, length = 0;
};

// Of several longest ones that with the smallest end in the form, then in the lemma.
// Dynamic programming over all pairs of ends, in time by the lengths multiplied and memory by the
// length of the lemma: row i needs row i - 1 alone, of which `diagonal` saves one number.
Common longest_common(std::u32string_view form, std::u32string_view lemma) {
  Common best;
  std::vector<std::size_t> lengths(lemma.size() + 1, 0);  // of matches that end at form[i - 1]
  for (std::size_t i = 1; i <= form.size(); ++i) {
    std::size_t diagonal = 0;
    for (std::size_t j = 1; j <= lemma.size(); ++j) {
      const std::size_t length = form[i - 1] == lemma[j - 1] ? diagonal + 1 : 0;
      diagonal = std::exchange(lengths[j], length);
      if (length > best.length) best = {i - length, j - length, length};
    }
  }
  return best;
}

std::uint32_t narrow(std::size_t length) {
  return static_cast<std::uint32_t>(length);
}

EditTree substitution(std::u32string_view form, std::u32string_view lemma) {
  EditTree tree;
  tree.is_match = false;
  tree.original = form;
  tree.substitute = lemma;
  return tree;
}

}  // namespace

// `enter` gives the number of a finished node, or nothing, which ends the construction.
// The construction of Chrupała (2008; see edit_tree.h): the longest common substring stays, and the
// parts before and behind it are trees of their own, down to substitutions of whole texts. Lengths
// instead of texts let one tree serve many words.
template <class Enter>
std::optional<TreeNumber> EditTrees::build(std::u32string_view form, std::u32string_view lemma,
                                           const Enter& enter) const {
  if (form == lemma) return enter(EditTree());
  if (form.size() * lemma.size() > kMostCells) return enter(substitution(form, lemma));
  const Common common = longest_common(form, lemma);
  if (common.length == 0) return enter(substitution(form, lemma));
  const std::size_t form_end = common.form_start + common.length;
  const std::size_t lemma_end = common.lemma_start + common.length;
  EditTree match;
  match.prefix_length = narrow(common.form_start);
  match.suffix_length = narrow(form.size() - form_end);
  if (common.form_start > 0 || common.lemma_start > 0) {
    const auto prefix =
        build(form.substr(0, common.form_start), lemma.substr(0, common.lemma_start), enter);
    if (!prefix) return prefix;
    match.prefix_tree = *prefix;
  }
  if (form_end < form.size() || lemma_end < lemma.size()) {
    const auto suffix = build(form.substr(form_end), lemma.substr(lemma_end), enter);
    if (!suffix) return suffix;
    match.suffix_tree = *suffix;
  }
  return enter(std::move(match));
}

TreeNumber EditTrees::add(std::string_view form, std::string_view lemma) {
  const auto enter = [&](EditTree tree) -> std::optional<TreeNumber> {
    // Equal trees, also as parts of others, have one number: a tree is equal if its parts' numbers
    // are.
    const auto [place, is_new] = numbers_.try_emplace(tree, narrow(trees_.size()));
    if (is_new) trees_.push_back(std::move(tree));
    return place->second;
  };
  return *build(code_points_of(form), code_points_of(lemma), enter);
}

std::optional<TreeNumber> EditTrees::find(std::string_view form, std::string_view lemma) const {
  const auto enter = [&](const EditTree& tree) -> std::optional<TreeNumber> {
    const auto known = numbers_.find(tree);
    return known == numbers_.end() ? std::nullopt : std::optional(known->second);
  };
  return build(code_points_of(form), code_points_of(lemma), enter);
}

bool EditTrees::apply(TreeNumber number, std::u32string_view form, std::u32string& result) const {
  const EditTree& tree = trees_[number];
  if (!tree.is_match) {
    if (form != tree.original) return false;
    result += tree.substitute;
    return true;
  }
  // A tree fits a form that is long enough for both outer parts and whose outer parts fit as well;
  // the middle is kept as it is, however long.
  const std::uint64_t outside = std::uint64_t{tree.prefix_length} + tree.suffix_length;
  if (outside > form.size()) return false;
  const std::size_t end = form.size() - tree.suffix_length;
  if (tree.prefix_tree != kNoTree &&
      !apply(tree.prefix_tree, form.substr(0, tree.prefix_length), result)) {
    return false;
  }
  result += form.substr(tree.prefix_length, end - tree.prefix_length);
  return tree.suffix_tree == kNoTree || apply(tree.suffix_tree, form.substr(end), result);
}

std::optional<std::string> EditTrees::apply(TreeNumber tree, std::string_view form) const {
  std::u32string result;
  if (!apply(tree, code_points_of(form), result)) return std::nullopt;
  return utf8_of(result);
}

std::string EditTrees::str(TreeNumber number) const {
  if (number == kNoTree) return "()";
  const EditTree& tree = trees_.at(number);
  if (!tree.is_match) {
    return fmt::format("(s '{}' '{}')", utf8_of(tree.original), utf8_of(tree.substitute));
  }
  return fmt::format("(m {} {} {} {})", tree.prefix_length, tree.suffix_length,
                     str(tree.prefix_tree), str(tree.suffix_tree));
}

void EditTrees::for_each_text(const std::function<void(std::string_view)>& take) const {
  for (const EditTree& tree : trees_) {
    if (tree.is_match) continue;
    take(utf8_of(tree.original));
    take(utf8_of(tree.substitute));
  }
}

void EditTrees::append(EditTree tree) {
  // One that is there twice keeps both numbers; words find the first.
  numbers_.try_emplace(tree, narrow(trees_.size()));
  trees_.push_back(std::move(tree));
}

}  // namespace weft
