#include "framework/matching/read_predicate.h"

#include <charconv>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "framework/matching/pattern_attribute.h"
#include "framework/matching/pattern_schema.h"
#include "framework/text/morph_features.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw Error(ErrorKind::data, place + ": " + what);
}

std::optional<Predicate::Set> set_of(std::string_view name) {
  if (name == "IN") return Predicate::Set::in;
  if (name == "NOT_IN") return Predicate::Set::not_in;
  if (name == "IS_SUBSET") return Predicate::Set::subset;
  if (name == "IS_SUPERSET") return Predicate::Set::superset;
  if (name == "INTERSECTS") return Predicate::Set::intersects;
  return std::nullopt;
}

std::optional<Predicate::Order> order_of(std::string_view name) {
  if (name == "==") return Predicate::Order::equal;
  if (name == "!=") return Predicate::Order::unequal;
  if (name == ">=") return Predicate::Order::at_least;
  if (name == "<=") return Predicate::Order::at_most;
  if (name == ">") return Predicate::Order::more;
  if (name == "<") return Predicate::Order::less;
  return std::nullopt;
}

// FUZZY gives 0, FUZZY3 gives 3.
std::optional<int> fuzzy_of(std::string_view name) {
  if (!name.starts_with("FUZZY") || name.size() > 6) return std::nullopt;
  if (name.size() == 5) return 0;
  return name[5] >= '1' && name[5] <= '9' ? std::optional(name[5] - '0') : std::nullopt;
}

long double number_of(const Node& value, const std::string& place) {
  if (value.is_float()) return value.as_float();
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  if (const auto* big = std::get_if<BigInteger>(&value.value())) {
    long double number = 0;
    std::from_chars(big->digits.data(), big->digits.data() + big->digits.size(), number);
    return number;
  }
  if (value.is_integer()) return static_cast<long double>(value.as_integer());
  fail(place, fmt::format("takes a number, and not {}", value.type_name()));
}

StringId entry_of(Attr attr, const Node& entry, const std::string& place) {
  if (entry.is_string()) {
    return string_id(attr == Attr::morph ? normalised_features(entry.as_string())
                                         : entry.as_string());
  }
  if (entry.is_bool()) return entry.as_bool() ? 1 : 0;
  if (const auto id = id_of(entry)) return *id;
  if (std::holds_alternative<std::int64_t>(entry.value())) {
    return static_cast<StringId>(entry.as_integer());
  }
  if (entry.is_integer()) fail(place, "takes no integer above 2^64 - 1");
  fail(place, fmt::format("takes a list of strings or integers; there is {}", entry.type_name()));
}

const List& list_of(const Node& value, const std::string& place) {
  if (!value.is_list()) {
    fail(place, fmt::format("takes a list, and not {}", value.type_name()));
  }
  return value.as_list();
}

std::vector<std::string> texts_of(const Node& value, const std::string& place) {
  std::vector<std::string> texts;
  for (const Node& entry : list_of(value, place)) {
    if (!entry.is_string()) {
      fail(place, fmt::format("takes strings; there is {}", entry.type_name()));
    }
    texts.push_back(entry.as_string());
  }
  return texts;
}

Predicate regex_of(Attr attr, std::vector<std::string> texts, bool negated,
                   const std::string& place) {
  std::vector<Pattern> expressions;
  expressions.reserve(texts.size());
  for (std::string& text : texts) {
    expressions.emplace_back(place, std::move(text), Pattern::Use::search);
  }
  return Predicate::of_regex(attr, std::move(expressions), negated);
}

// `most` edits, 0 for as many as the text's length allows.
Predicate fuzzy_of(Attr attr, int most, std::vector<std::string> texts, bool negated) {
  const auto edits = most == 0 ? std::nullopt : std::optional(static_cast<std::size_t>(most));
  return Predicate::of_fuzzy(attr, std::move(texts), edits, negated);
}

Predicate read_set(Attr attr, Predicate::Set set, const Node& value, const std::string& place) {
  Predicate::Values values;
  for (const Node& entry : list_of(value, place)) values.insert(entry_of(attr, entry, place));
  return Predicate::of_set(attr, set, std::move(values));
}

// Nothing for a name that is none.
std::optional<Predicate> read_predicate(Attr attr, std::string_view name, const Node& value,
                                        const std::string& place) {
  if (const auto set = set_of(name)) return read_set(attr, *set, value, place);
  if (const auto order = order_of(name)) {
    return Predicate::of_order(attr, *order, number_of(value, place));
  }
  const auto most = fuzzy_of(name);
  if (name != "REGEX" && !most) return std::nullopt;
  if (!value.is_string()) fail(place, "takes a string, or a map of IN, NOT_IN and REGEX");
  if (most) return fuzzy_of(attr, *most, {value.as_string()}, false);
  return regex_of(attr, {value.as_string()}, false, place);
}

// Below {"REGEX": {...}} and {"FUZZY2": {...}} ("": below neither) IN and NOT_IN list expressions,
// or texts to be near to. Nothing for a name that is none.
std::optional<Predicate> read_below(Attr attr, std::string_view outer, std::string_view name,
                                    const Node& value, const std::string& place) {
  const bool negated = name == "NOT_IN";
  if (outer == "REGEX" && (fuzzy_of(name) || (set_of(name) && !negated && name != "IN"))) {
    fail(place, fmt::format("takes IN, NOT_IN or REGEX, and not {}", printable_brief(name)));
  }
  if (outer.empty() || (!negated && name != "IN")) return read_predicate(attr, name, value, place);
  std::vector<std::string> texts = texts_of(value, place);
  if (outer == "REGEX") return regex_of(attr, std::move(texts), negated, place);
  if (attr == Attr::morph) {
    for (std::string& text : texts) text = normalised_features(text);
  }
  return fuzzy_of(attr, *fuzzy_of(outer), std::move(texts), negated);
}

// Finds the predicate in the table or puts it there; nothing for an unknown name.
std::optional<std::uint32_t> add_once(TestTable& table, Attr attr, const std::string& name,
                                      const Node& value,
                                      const std::function<std::optional<Predicate>()>& read) {
  const std::string whole =
      fmt::format("{} {} {}", static_cast<std::uint32_t>(attr), name, to_json(value));
  const std::int64_t known = table.find(whole);
  if (known >= 0) return static_cast<std::uint32_t>(known);
  auto predicate = read();
  if (!predicate) return std::nullopt;
  return table.add(std::move(*predicate), whole);
}

// Of several maps of REGEX or FUZZY in each other the innermost counts.
class PredicateReader {
 public:
  PredicateReader(Attr attr, TestTable& table, std::vector<std::string>& warnings)
      : attr_(attr), table_(table), warnings_(warnings) {}

  void read(const Object& predicates, const std::string& outer, const std::string& place) {
    for (const auto& [key, value] : predicates) {
      const std::string name = upper_name(key);
      const std::string here = fmt::format("{} {}", place, printable_brief(key));
      if (value.is_object() && (name == "REGEX" || fuzzy_of(name))) {
        read(value.as_object(), name, here);
        continue;
      }
      const std::string whole = outer.empty() ? name : fmt::format("{} {}", outer, name);
      // Clang before 16 captures structured bindings by name alone.
      const auto number = add_once(table_, attr_, whole, value, [&, &value = value] {
        return read_below(attr_, outer, name, value, outer.empty() ? here : place);
      });
      if (number) {
        numbers_.push_back(*number);
      } else {
        warnings_.push_back(fmt::format("{} is no predicate, and every token passes it{}", here,
                                        suggest_predicate(name)));
      }
    }
  }

  std::vector<std::uint32_t> take() { return std::move(numbers_); }

 private:
  Attr attr_;
  TestTable& table_;
  std::vector<std::string>& warnings_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace

std::vector<std::uint32_t> read_predicates(Attr attr, const Object& predicates,
                                           const std::string& place, TestTable& table,
                                           std::vector<std::string>& warnings) {
  PredicateReader reader(attr, table, warnings);
  reader.read(predicates, "", place);
  return reader.take();
}

std::optional<StringId> id_of(const Node& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value.value())) {
    return *number >= 0 ? std::optional(static_cast<StringId>(*number)) : std::nullopt;
  }
  const auto* big = std::get_if<BigInteger>(&value.value());
  if (big == nullptr) return std::nullopt;
  StringId id = 0;
  const char* const end = big->digits.data() + big->digits.size();
  const auto [stop, fault] = std::from_chars(big->digits.data(), end, id);
  return fault == std::errc() && stop == end ? std::optional(id) : std::nullopt;
}

std::optional<StringId> iob_number(std::string_view mark) {
  if (mark.empty()) return 0;
  if (mark == "I") return 1;
  if (mark == "O") return 2;
  if (mark == "B") return 3;
  return std::nullopt;
}

}  // namespace weft
