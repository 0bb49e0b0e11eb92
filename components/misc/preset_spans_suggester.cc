// spacy.preset_spans_suggester.v1: spans that the document has already. spaCy 3.8.
#include <string>

#include "framework/text/suggester.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::string spans_key;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("spans_key", c.spans_key, "the key of their group");
}

Suggester make(const Settings& c) {
  return preset_spans_suggester(c.spans_key);
}

const Registration registered{"spacy.preset_spans_suggester.v1", make,
                              "the spans of a group that an earlier component has set"};

}  // namespace
}  // namespace weft
