// Names of spaCy 3.8 and its libraries of the kind `scorers` that are known and not built yet.
#include "components/declared/declare.h"

namespace weft {
namespace {

constexpr std::string_view kNames = R"(
spacy-legacy.textcat_multilabel_scorer.v1
spacy-legacy.textcat_scorer.v1
spacy.attribute_ruler_scorer.v1
spacy.entity_linker_scorer.v1
spacy.entity_ruler_scorer.v1
spacy.lemmatizer_scorer.v1
spacy.morphologizer_scorer.v1
spacy.overlapping_labeled_spans_scorer.v1
  spans_key str = "ruler"
spacy.parser_scorer.v1
spacy.senter_scorer.v1
spacy.span_finder_scorer.v1
spacy.spancat_scorer.v1
spacy.tagger_scorer.v1
spacy.textcat_multilabel_scorer.v1
spacy.textcat_multilabel_scorer.v2
spacy.textcat_scorer.v1
spacy.textcat_scorer.v2
)";

const Registration registered([](Catalogue& catalogue) { declare(catalogue, "scorers", kNames); });

}  // namespace
}  // namespace weft
