// The edit trees of a lemmatizer, each once, under numbers that grow.
//
//   weft::EditTrees trees;
//   const weft::TreeNumber tree = trees.add("running", "run");
//   trees.apply(tree, "planning");  // "plan"
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/tagging/edit_tree.h"
#include "framework/text/symbols.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Const functions may be called by several threads at once.
class WEFT_API EditTrees {
 public:
  // A form and a lemma whose code points multiplied are more are a substitution as a whole.
  static constexpr std::uint64_t kMostCells = std::uint64_t{1} << 20;

  // The tree that makes `lemma` out of `form`, around their longest common substring; of several
  // the one that ends first in the form, then first in the lemma. Its sub-trees are added before
  // it.
  TreeNumber add(std::string_view form, std::string_view lemma);
  // The same without adding; nothing where the tree or a part of it is not there.
  std::optional<TreeNumber> find(std::string_view form, std::string_view lemma) const;
  // The lemma that the tree makes of a form; nothing where it does not fit.
  std::optional<std::string> apply(TreeNumber tree, std::string_view form) const;

  std::size_t size() const { return trees_.size(); }
  const EditTree& at(TreeNumber tree) const { return trees_.at(tree); }
  // "(m 0 4 () (s 'ning' ''))"
  std::string str(TreeNumber tree) const;
  // Calls `take` with every text that a tree holds.
  void for_each_text(const std::function<void(std::string_view)>& take) const;

  // The `trees` file of a pipeline: texts are ids there, and `text_of` knows them. Throws
  // Error(data), placed in `source`, for what is no such file, a tree that contains itself or is
  // deeper than any that words give, a sub-tree that is not there, a text that nobody knows, and
  // texts that take more memory than a ReadBudget allows.
  std::string to_bytes() const;
  static EditTrees from_bytes(
      std::string_view bytes, const std::string& source,
      const std::function<std::optional<std::string_view>(StringId)>& text_of);
  // As in files of labels: a list of trees, with their texts. Throws as from_bytes.
  List to_list() const;
  static EditTrees from_list(const Node& trees, const std::string& source);

 private:
  template <class Enter>
  std::optional<TreeNumber> build(std::u32string_view form, std::u32string_view lemma,
                                  const Enter& enter) const;
  bool apply(TreeNumber tree, std::u32string_view form, std::u32string& result) const;
  // Throws Error(data) as from_bytes.
  void append(EditTree tree);
  void check(const std::string& source) const;

  std::vector<EditTree> trees_;
  std::map<EditTree, TreeNumber> numbers_;
};

}  // namespace weft
