// spacy.combined_augmenter.v1: lower case, other spellings and added white space, each with a share
// of its own. Source: spaCy 3.8.
#include <algorithm>
#include <optional>

#include "components/augmenters/variants.h"
#include "framework/training/changed_words.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  double lower_level = 0.0;
  double orth_level = 0.0;
  std::optional<Object> orth_variants;
  double whitespace_level = 0.0;
  double whitespace_per_token = 0.0;
  std::optional<std::vector<std::string>> whitespace_variants;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("lower_level", c.lower_level, "share of the examples put into lower case",
             closed_range(0.0, 1.0));
  v.required("orth_level", c.orth_level, "share that gets other spellings", closed_range(0.0, 1.0));
  v.required("orth_variants", c.orth_variants, "as in spacy.orth_variants.v1; null: none");
  v.required("whitespace_level", c.whitespace_level, "share that gets tokens of white space",
             closed_range(0.0, 1.0));
  v.required("whitespace_per_token", c.whitespace_per_token,
             "how many of them, as a share of the tokens", closed_range(0.0, 10.0));
  v.required("whitespace_variants", c.whitespace_variants, "their texts; null: none");
}

ExamplePtr add_white_space(const Settings& c, const Language& nlp, ExamplePtr example,
                           Draws& draws) {
  const std::vector<std::string>& texts = *c.whitespace_variants;
  const Doc& reference = example->reference();
  const auto count = static_cast<int>(reference.size() * c.whitespace_per_token);
  const bool grows = takes_white_space(reference);
  std::vector<Insertion> insertions;
  for (int i = 0; i < count; ++i) {
    const std::string& text = texts[draws.below(texts.size())];
    const auto tokens = static_cast<std::size_t>(reference.size()) + insertions.size();
    const auto position = static_cast<int>(draws.below(tokens));
    if (grows) insertions.push_back({text, position});
  }
  if (insertions.empty()) return example;
  return example_of(nlp, with_inserted(reference, insertions));
}

Augmenter combined(const Settings& c) {
  std::optional<OrthVariants> variants;
  if (c.orth_variants && !c.orth_variants->empty()) variants = orth_variants_of(*c.orth_variants);
  const bool spaces = c.whitespace_variants && !c.whitespace_variants->empty();
  if (spaces && std::count(c.whitespace_variants->begin(), c.whitespace_variants->end(), "") > 0) {
    throw Error(ErrorKind::config, "whitespace_variants holds an empty text");
  }
  return {[c, variants, spaces](const Language& nlp, const ExamplePtr& given, Draws& draws) {
    ExamplePtr example = given;
    if (draws.uniform() < c.lower_level) example = lowered(nlp, *example);
    if (variants && draws.uniform() < c.orth_level) {
      example = with_other_spellings(nlp, *example, *variants, false, draws);
    }
    if (spaces && draws.uniform() < c.whitespace_level) {
      example = add_white_space(c, nlp, std::move(example), draws);
    }
    return example;
  }};
}

const Registration registered{"spacy.combined_augmenter.v1", combined,
                              "lower case, other spellings and added white space"};

}  // namespace
}  // namespace weft
