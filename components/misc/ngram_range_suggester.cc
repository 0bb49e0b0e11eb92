// spacy.ngram_range_suggester.v1: all spans from one length to another. spaCy 3.8.
#include "framework/text/suggester.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  int min_size = 1;
  int max_size = 1;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("min_size", c.min_size, "fewest tokens of a span", at_least(1));
  v.required("max_size", c.max_size, "most tokens of a span; below min_size there is none",
             at_least(1));
}

Suggester make(const Settings& c) {
  return ngram_range_suggester(c.min_size, c.max_size);
}

const Registration registered{"spacy.ngram_range_suggester.v1", make,
                              "all spans from one length to another"};

}  // namespace
}  // namespace weft
