// The classes of a lemmatizer: some of the edit trees that it knows. docs/tagging.md, "Edit trees".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/tagging/edit_trees.h"
#include "framework/text/doc.h"
#include "framework/text/string_store.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Const functions may be called by several threads at once.
class WEFT_API TreeLabels {
 public:
  std::int64_t size() const { return static_cast<std::int64_t>(numbers_.size()); }
  const EditTrees& trees() const { return trees_; }
  TreeNumber tree(std::int64_t number) const { return numbers_[static_cast<std::size_t>(number)]; }
  // The class of a form's lemma; nothing where the tree is none of the classes.
  std::optional<std::int32_t> find(std::string_view form, std::string_view lemma) const;

  // The tree of the pair becomes a class unless it is one. Throws Error(data), without a place, for
  // one beyond kMostClasses; so does TreeCounts::labels.
  void add(std::string_view form, std::string_view lemma);
  // Adds the trees of a document's lemmas, but no class.
  void add_trees_of(const Doc& doc);
  // Puts the trees' texts where files look them up.
  void keep_texts(StringStore& strings) const;

  // The numbers of the trees, as text in their order.
  std::vector<std::string> names() const;
  List numbers() const;
  // As files of labels have it: {"trees": [...], "labels": [numbers]}. Throws Error(data), placed
  // in `source`.
  Object to_object() const;
  static TreeLabels from_object(const Node& data, const std::string& source);
  // From the files of a pipeline, one after the other. Throw Error(data) for numbers that are none
  // or have no tree.
  void take_numbers(const Node& numbers, const std::string& source);
  void take_trees(EditTrees trees, const std::string& source);

 private:
  void index();

  EditTrees trees_;
  std::vector<TreeNumber> numbers_;
  std::map<TreeNumber, std::int32_t> classes_;
};

// Counts the edit trees of a corpus.
class WEFT_API TreeCounts {
 public:
  void add(const Doc& doc);
  bool empty() const { return order_.empty(); }  // no token had a lemma
  // The trees that came at least so often, in the order in which they came first.
  TreeLabels labels(int at_least) const;

 private:
  struct Count {
    std::int64_t times = 0;
    std::pair<std::string, std::string> last;  // form and lemma
  };
  EditTrees trees_;
  std::vector<TreeNumber> order_;
  std::map<TreeNumber, Count> counts_;
  std::map<std::pair<std::string, StringId>, TreeNumber> known_;  // form, lemma
};

// The classes of the `most` highest scores, the highest first. Of equal ones the lower class, where
// `most` is above 20 the higher one (spaCy 3.8).
WEFT_API std::vector<std::int32_t> best_of(std::span<const float> scores, int most);

}  // namespace weft
