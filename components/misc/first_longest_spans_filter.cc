#include "framework/text/span_filter.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

SpanFilter span_filter() {
  return {first_longest_spans};
}

const Registration registered{"spacy.first_longest_spans_filter.v1", span_filter,
                              "the longest of the spans that share tokens"};

}  // namespace
}  // namespace weft
