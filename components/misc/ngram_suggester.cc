// spacy.ngram_suggester.v1: all spans of some lengths. spaCy 3.8.
#include <vector>

#include "framework/text/suggester.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::vector<int> sizes;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("sizes", c.sizes, "numbers of tokens", at_least(1));
}

Suggester make(const Settings& c) {
  return ngram_suggester(c.sizes);
}

const Registration registered{"spacy.ngram_suggester.v1", make, "all spans of some lengths"};

}  // namespace
}  // namespace weft
