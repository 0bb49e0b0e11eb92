// Rules that set attributes of tokens which patterns match: the work of an attribute ruler.
// Source: spaCy 3.8, https://spacy.io/api/attributeruler.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/matching/matcher.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// As a ruler's file holds it.
struct AttributeRule {
  List patterns;           // of tokens
  Object attrs;            // value by attribute
  std::int64_t index = 0;  // of the token in the match that gets them; negative: from its end
};

class WEFT_API AttributeRules {
 public:
  // `strings` gets the values. With `validate` patterns are checked more strictly.
  AttributeRules(StringStore& strings, bool validate);

  // Throws Error(data) for a pattern that is not valid, and for an attribute that cannot be set.
  void add(AttributeRule rule);
  void clear();
  const std::vector<AttributeRule>& rules() const { return rules_; }
  // Those of Matcher.
  const std::vector<std::string>& warnings() const { return matcher_.warnings(); }

  // Matches all patterns, then sets what the rules say, later rules and later matches last. Throws
  // Error(data) where a match has no token of a rule's index.
  void apply(Doc& doc) const;

 private:
  struct Setting {
    Attr attr;
    StringId value;
  };
  int token_of(const TokenMatch& match) const;
  std::vector<Setting> settings_of(const AttributeRule& rule, const std::string& place) const;

  StringStore* strings_;
  bool validate_;
  std::vector<AttributeRule> rules_;
  std::vector<std::vector<Setting>> settings_;  // by rule
  Matcher matcher_;                             // its keys are the rules' numbers
};

// The rules that a tag map stands for, {"NNS": {"POS": "NOUN", "Number": "Plur"}}: keys that are no
// attributes are features.
WEFT_API std::vector<AttributeRule> rules_of_tag_map(const Object& map);
// The same for single words, by tag and word: {"PRP": {"us": {"LEMMA": "we", "Person": "1"}}}.
WEFT_API std::vector<AttributeRule> rules_of_morph_rules(const Object& by_tag);

}  // namespace weft
