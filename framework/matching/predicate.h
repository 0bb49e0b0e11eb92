// A condition on the value of one attribute of a token that is more than being equal:
// {"LOWER": {"IN": ["a", "b"]}}. Source: spaCy 3.8, https://spacy.io/api/matcher#patterns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "framework/regex/pattern.h"
#include "framework/text/symbols.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// Values are compared as numbers or ids; where `needs_text` says so, by the text behind the id.
class WEFT_API Predicate {
 public:
  enum class Set { in, not_in, subset, superset, intersects };
  enum class Order { equal, unequal, at_least, at_most, more, less };
  using Values = std::unordered_set<StringId, SeededHash>;

  // The value, or for Attr::morph its features, against a set.
  static Predicate of_set(Attr attr, Set set, Values values);
  static Predicate of_order(Attr attr, Order order, long double number);
  // Some expression is found in the text; with `negated` none is.
  static Predicate of_regex(Attr attr, std::vector<Pattern> expressions, bool negated);
  // The text is no more than `most` edits away from one of these, by default from 30 % of its
  // characters and at least 2 on; with `negated` from none.
  static Predicate of_fuzzy(Attr attr, std::vector<std::string> texts,
                            std::optional<std::size_t> most, bool negated);

  Attr attr() const { return attr_; }
  bool needs_text() const;
  // The values that it holds for, where these are few and known; else null.
  const Values* only_values() const;

  // Throws Error(data) where an expression uses its steps up.
  bool holds(StringId value, std::string_view text, MatchScratch& scratch) const;

 private:
  enum class Kind { set, order, regex, fuzzy };
  struct Fuzzy {
    std::string text;
    std::u32string code_points;
    std::size_t most = 0;
  };
  bool set_holds(StringId value, std::string_view text) const;
  bool order_holds(StringId value) const;
  bool any_found(std::string_view text, MatchScratch& scratch) const;
  bool any_near(std::string_view text, MatchScratch& scratch) const;

  Attr attr_ = Attr::orth;
  Kind kind_ = Kind::set;
  Set set_ = Set::in;
  Order order_ = Order::equal;
  bool negated_ = false;
  long double number_ = 0;  // exact for every id
  Values values_;
  std::vector<Pattern> expressions_;
  std::vector<Fuzzy> fuzzy_;
};

}  // namespace weft
