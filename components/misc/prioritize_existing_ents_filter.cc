#include "framework/text/span_filter.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

SpanFilter span_filter() {
  return {prioritise_base_spans};
}

const Registration registered{"spacy.prioritize_existing_ents_filter.v1", span_filter,
                              "spans that are there before new ones"};

}  // namespace
}  // namespace weft
