// The classes of a morphologizer: pairs of a part of speech and features. A label is the features
// with the part of speech among them, as the field POS: "Number=Sing|POS=NOUN". docs/tagging.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/tagging/class_loss.h"
#include "framework/tagging/label_list.h"
#include "framework/text/example.h"
#include "framework/text/morph_features.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API MorphLabels {
 public:
  // The annotation that a token of a class gets.
  struct Analysis {
    StringId pos = 0;    // 0: none
    StringId morph = 0;  // "_" where there are no features
    MorphFeatures features;
  };

  const LabelList& names() const { return names_; }
  const Analysis& analysis(std::int64_t number) const {
    return analyses_[static_cast<std::size_t>(number)];
  }
  bool contains(std::string_view label) const;

  // Whether the label is new. Throws Error(data) for features that do not parse, and for a label
  // beyond kMostClasses.
  bool add(std::string_view label, StringStore& strings);
  // The labels of the reference's tokens in their order. Throws Error(data), placed in the corpus.
  void add_all_of(const Example& example, StringStore& strings);
  // As files have them: under `morphs` the features of each label, in the order of the classes,
  // under `pos` the numbers of their parts of speech. Throws Error(data), placed in `source`.
  void add_table(const Node& tables, std::string_view morphs, std::string_view pos,
                 const std::string& source, StringStore& strings);
  Object to_object(std::string_view morphs, std::string_view pos) const;

  // The reference's class of each predicted token. Labels that are not known count as missing.
  // Throws Error(data), placed in the corpus, for features that do not parse.
  void append_gold(const Example& example, std::vector<GoldClass>& gold) const;

 private:
  using Pair = std::pair<StringId, StringId>;  // part of speech, analysis

  bool add(std::string_view label, std::string_view morph, StringId pos, StringStore& strings);

  LabelList names_;
  std::vector<Analysis> analyses_;
  std::map<Pair, std::int32_t> classes_;  // of columns as they usually are: a faster way
};

// The label of a token with that part of speech ("": none) and those features.
WEFT_API std::string morph_label(std::string_view pos, MorphFeatures features);

}  // namespace weft
