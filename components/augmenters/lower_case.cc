// spacy.lower_case.v1: a share of the examples in lower case. Source: spaCy 3.8.
#include "components/augmenters/variants.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct LowerCase {
  double level = 0.0;
};

template <class V>
void fields(V& v, LowerCase& c) {
  v.required("level", c.level, "share of the examples that are changed", closed_range(0.0, 1.0));
}

Augmenter lower_case(const LowerCase& c) {
  return {[c](const Language& nlp, const ExamplePtr& example, Draws& draws) {
    return draws.uniform() < c.level ? lowered(nlp, *example) : example;
  }};
}

const Registration registered{"spacy.lower_case.v1", lower_case,
                              "puts a share of the examples into lower case"};

}  // namespace
}  // namespace weft
