// Names of spaCy 3.8 and its libraries of the kind `misc` that are known and not built yet.
#include "components/declared/declare.h"

namespace weft {
namespace {

constexpr std::string_view kNames = R"(
spacy.CandidateBatchGenerator.v1
spacy.CandidateGenerator.v1
spacy.EmptyKB.v1
  entity_vector_length int
spacy.EmptyKB.v2
spacy.KBFromFile.v1
  kb_path path
spacy.first_longest_spans_filter.v1
spacy.levenshtein_compare.v1
spacy.ngram_range_suggester.v1
  min_size int
  max_size int
spacy.ngram_suggester.v1
  sizes [int]
spacy.preset_spans_suggester.v1
  spans_key str
spacy.prioritize_existing_ents_filter.v1
spacy.prioritize_new_ents_filter.v1
)";

const Registration registered([](Catalogue& catalogue) { declare(catalogue, "misc", kNames); });

}  // namespace
}  // namespace weft
