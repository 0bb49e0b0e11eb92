#include "framework/matching/predicate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "framework/matching/edit_distance.h"
#include "framework/unicode/code_points.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Halves go to the even number.
std::size_t usual_edits(std::size_t length) {
  return std::max<std::size_t>(
      2, static_cast<std::size_t>(std::nearbyint(0.3 * static_cast<double>(length))));
}

// The features of an analysis, one for each value: VerbForm=Fin and VerbForm=Inf of
// "VerbForm=Fin,Inf". None of "_".
std::vector<StringId> feature_ids(std::string_view analysis) {
  std::vector<StringId> ids;
  while (!analysis.empty()) {
    const std::size_t end = std::min(analysis.find('|'), analysis.size());
    const std::string_view feature = analysis.substr(0, end);
    analysis.remove_prefix(std::min(end + 1, analysis.size()));
    const std::size_t equals = feature.find('=');
    if (equals == feature.npos) continue;
    std::string_view values = feature.substr(equals + 1);
    for (bool more = true; more;) {
      const std::size_t comma = values.find(',');
      more = comma != values.npos;
      std::string one(feature.substr(0, equals + 1));
      one += values.substr(0, comma);
      ids.push_back(string_id(one));
      if (more) values.remove_prefix(comma + 1);
    }
  }
  return ids;
}

}  // namespace

Predicate Predicate::of_set(Attr attr, Set set, Values values) {
  Predicate predicate;
  predicate.attr_ = attr;
  predicate.kind_ = Kind::set;
  predicate.set_ = set;
  predicate.values_ = std::move(values);
  return predicate;
}

Predicate Predicate::of_order(Attr attr, Order order, long double number) {
  Predicate predicate;
  predicate.attr_ = attr;
  predicate.kind_ = Kind::order;
  predicate.order_ = order;
  predicate.number_ = number;
  return predicate;
}

Predicate Predicate::of_regex(Attr attr, std::vector<Pattern> expressions, bool negated) {
  Predicate predicate;
  predicate.attr_ = attr;
  predicate.kind_ = Kind::regex;
  predicate.expressions_ = std::move(expressions);
  predicate.negated_ = negated;
  return predicate;
}

Predicate Predicate::of_fuzzy(Attr attr, std::vector<std::string> texts,
                              std::optional<std::size_t> most, bool negated) {
  Predicate predicate;
  predicate.attr_ = attr;
  predicate.kind_ = Kind::fuzzy;
  predicate.negated_ = negated;
  for (std::string& text : texts) {
    Fuzzy fuzzy{std::move(text), {}, 0};
    fuzzy.code_points = code_points_of(fuzzy.text);
    fuzzy.most = most.value_or(usual_edits(fuzzy.code_points.size()));
    predicate.fuzzy_.push_back(std::move(fuzzy));
  }
  return predicate;
}

bool Predicate::needs_text() const {
  const bool features = attr_ == Attr::morph && set_ != Set::in && set_ != Set::not_in;
  return kind_ == Kind::regex || kind_ == Kind::fuzzy || (kind_ == Kind::set && features);
}

const Predicate::Values* Predicate::only_values() const {
  const bool few =
      set_ == Set::in || (attr_ != Attr::morph && (set_ == Set::subset || set_ == Set::intersects));
  return kind_ == Kind::set && few ? &values_ : nullptr;
}

bool Predicate::holds(StringId value, std::string_view text, MatchScratch& scratch) const {
  switch (kind_) {
    case Kind::set:
      return set_holds(value, text);
    case Kind::order:
      return order_holds(value);
    case Kind::regex:
      return any_found(text, scratch) != negated_;
    case Kind::fuzzy:
      return any_near(text, scratch) != negated_;
  }
  return false;
}

bool Predicate::set_holds(StringId value, std::string_view text) const {
  if (set_ == Set::in) return values_.contains(value);
  if (set_ == Set::not_in) return !values_.contains(value);
  const std::vector<StringId> own =
      attr_ == Attr::morph ? feature_ids(text) : std::vector<StringId>{value};
  const auto listed = [&](StringId id) { return values_.contains(id); };
  if (set_ == Set::subset) return std::all_of(own.begin(), own.end(), listed);
  if (set_ == Set::intersects) return std::any_of(own.begin(), own.end(), listed);
  return std::all_of(values_.begin(), values_.end(), [&](StringId id) {
    return std::find(own.begin(), own.end(), id) != own.end();
  });
}

bool Predicate::order_holds(StringId value) const {
  // Wide enough for every id.
  const auto left = static_cast<long double>(value);
  const auto right = number_;
  switch (order_) {
    case Order::equal:
      return left == right;
    case Order::unequal:
      return left != right;
    case Order::at_least:
      return left >= right;
    case Order::at_most:
      return left <= right;
    case Order::more:
      return left > right;
    case Order::less:
      return left < right;
  }
  return false;
}

bool Predicate::any_found(std::string_view text, MatchScratch& scratch) const {
  return std::any_of(expressions_.begin(), expressions_.end(), [&](const Pattern& expression) {
    return expression.find(scratch, text).has_value();
  });
}

bool Predicate::any_near(std::string_view text, MatchScratch& scratch) const {
  const std::u32string own = code_points_of(text);
  return std::any_of(fuzzy_.begin(), fuzzy_.end(), [&](const Fuzzy& fuzzy) {
    const auto [shorter, longer] = std::minmax({own.size(), fuzzy.code_points.size()});
    if (longer - shorter > fuzzy.most) return false;  // most pairs, which take no time
    if (!scratch.spend(edit_steps(own.size(), fuzzy.code_points.size()))) {
      throw Error(ErrorKind::data,
                  fmt::format("FUZZY gives up on a text of {} bytes: comparing takes more steps "
                              "than a document has (docs/limits.md)",
                              text.size()));
    }
    return within_edits(own, fuzzy.code_points, fuzzy.most);
  });
}

}  // namespace weft
