#include "framework/training/annotated_examples.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/text/example.h"

namespace weft {
namespace {

bool has_tokens_of(const Doc& predicted, const Doc& reference) {
  return std::ranges::equal(predicted.attr_ids(Attr::orth), reference.attr_ids(Attr::orth));
}

// A reader that gives examples on the tokens of the annotation has nothing cut otherwise.
PlacedDoc placed(const Example& example, std::int64_t number) {
  const ExamplePlace& place = example.place();
  return {.doc = example.reference(),
          .file = place.file ? *place.file : "",
          .line = place.line,
          .document = place.document > 0 ? place.document : number,
          .own_tokens = !has_tokens_of(example.predicted(), example.reference())};
}

}  // namespace

void read_annotated_examples(const Reader& reader, const Language& nlp, const AnnotationTells& to) {
  const ExampleStreamPtr examples = reader.open(nlp);
  for (std::int64_t number = 1; const ExamplePtr example = examples->next(); ++number) {
    if (reader.may_be_endless && number > kMostOfAnEndlessCorpus) {
      return to.tell({.fault = DataFault::partly_read,
                      .corpus = to.corpus,
                      .message = fmt::format("nobody knows whether the reader's examples end, and "
                                             "{} were looked at",
                                             kMostOfAnEndlessCorpus),
                      .repair = "none is needed"});
    }
    to.take(placed(*example, number));
  }
}

}  // namespace weft
