// The changes that augmenters make of an example. Source: spaCy 3.8, `spacy.training.augment`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "components/augmenters/spelling_places.h"
#include "framework/text/example.h"
#include "framework/training/augmenter.h"
#include "registry/functions/fields.h"

namespace weft {

// Spellings that stand for each other where a token has one of `tags`: "…" and "...".
struct SingleVariants {
  std::vector<std::string> tags;
  std::vector<std::string> variants;
};

// Pairs of an opening and a closing spelling, such as quotation marks.
struct PairedVariants {
  std::vector<std::string> tags;
  std::vector<std::vector<std::string>> variants;
};

struct OrthVariants {
  std::vector<SingleVariants> single;
  std::vector<PairedVariants> paired;
  SpellingPlaces single_places, paired_places;  // of those entries
};

// From an object {"single": [...], "paired": [...]}. Throws Error(config) for another form.
OrthVariants orth_variants_of(const Object& object);

// The example in lower case.
ExamplePtr lowered(const Language& nlp, const Example& example);

// One spelling is drawn for each entry, and all tokens that may have it get it. With `lower` the
// words are put into lower case before.
ExamplePtr with_other_spellings(const Language& nlp, const Example& example,
                                const OrthVariants& variants, bool lower, Draws& draws);

// Whether tokens of white space may be inserted into it: documents without tokens, with span groups
// or links, and those of which only some tokens are parsed, stay as they are.
bool takes_white_space(const Doc& doc);

}  // namespace weft
