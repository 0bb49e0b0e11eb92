#include "framework/matching/fuzzy_compare.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

FuzzyCompare levenshtein_compare() {
  return {};
}

const Registration registered{"spacy.levenshtein_compare.v1", levenshtein_compare,
                              "insertions, deletions and substitutions of characters"};

}  // namespace
}  // namespace weft
