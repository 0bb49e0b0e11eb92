// spacy.orth_variants.v1: other spellings of punctuation in a share of the examples. Tokens are
// chosen by their tags, so data without tags is only put into lower case. Source: spaCy 3.8.
#include "components/augmenters/variants.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  double level = 0.0;
  double lower = 0.0;
  Object orth_variants;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("level", c.level, "share of the examples that are changed", closed_range(0.0, 1.0));
  v.required("lower", c.lower, "share of those that are put into lower case as well",
             closed_range(0.0, 1.0));
  v.required(
      "orth_variants", c.orth_variants,
      "\"single\" and \"paired\" lists of tags with the spellings that stand for each other");
}

Augmenter orth_variants(const Settings& c) {
  const OrthVariants variants = orth_variants_of(c.orth_variants);
  return {[c, variants](const Language& nlp, const ExamplePtr& example, Draws& draws) {
    if (draws.uniform() >= c.level) return example;
    const bool lower = draws.uniform() < c.lower;
    return with_other_spellings(nlp, *example, variants, lower, draws);
  }};
}

const Registration registered{"spacy.orth_variants.v1", orth_variants,
                              "other spellings of punctuation in a share of the examples"};

}  // namespace
}  // namespace weft
