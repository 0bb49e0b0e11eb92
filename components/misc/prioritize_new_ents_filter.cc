#include "framework/text/span_filter.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

SpanFilter span_filter() {
  return {prioritise_new_spans};
}

const Registration registered{"spacy.prioritize_new_ents_filter.v1", span_filter,
                              "new spans before those that are there"};

}  // namespace
}  // namespace weft
