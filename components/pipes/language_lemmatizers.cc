// Factories of languages whose `lemmatizer` has another default mode than that of most: a config
// that says `factory = "lemmatizer"` gets the defaults of its language from here. spaCy 3.8.
#include "components/pipes/lemmatizer.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct RuleSettings : LemmatizerSettings {
  RuleSettings() { mode = "rule"; }
};

template <class V>
void fields(V& v, RuleSettings& c) {
  lemmatizer_fields(v, c);
}

ComponentPtr rule_lemmatizer(const RuleSettings& c) {
  return make_lemmatizer(c);
}

struct PosSettings : LemmatizerSettings {
  PosSettings() { mode = "pos_lookup"; }
};

template <class V>
void fields(V& v, PosSettings& c) {
  lemmatizer_fields(v, c);
}

ComponentPtr pos_lemmatizer(const PosSettings& c) {
  return make_lemmatizer(c);
}

constexpr const char* kRules = "lemmas by rules, exceptions and known lemmas";
constexpr const char* kTables = "lemmas by a table for each part of speech";

const Registration bengali =
    Registration{"bn.lemmatizer", rule_lemmatizer, kRules}.meta(kLemmatizerFacts);
const Registration english =
    Registration{"en.lemmatizer", rule_lemmatizer, kRules}.meta(kLemmatizerFacts);
const Registration persian =
    Registration{"fa.lemmatizer", rule_lemmatizer, kRules}.meta(kLemmatizerFacts);
const Registration norwegian =
    Registration{"nb.lemmatizer", rule_lemmatizer, kRules}.meta(kLemmatizerFacts);
const Registration dutch =
    Registration{"nl.lemmatizer", rule_lemmatizer, kRules}.meta(kLemmatizerFacts);
const Registration swedish =
    Registration{"sv.lemmatizer", rule_lemmatizer, kRules}.meta(kLemmatizerFacts);
const Registration italian =
    Registration{"it.lemmatizer", pos_lemmatizer, kTables}.meta(kLemmatizerFacts);
const Registration polish =
    Registration{"pl.lemmatizer", pos_lemmatizer, kTables}.meta(kLemmatizerFacts);

}  // namespace
}  // namespace weft
