#include "framework/matching/token_pattern.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/matching/pattern_attribute.h"
#include "framework/matching/quantity.h"
#include "framework/matching/read_token.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

Quantity quantity_of(const Object& token, const std::string& place) {
  Quantity quantity;
  for (const auto& [key, value] : token) {
    if (upper_name(key) != "OP") continue;
    const auto parsed =
        value.is_string() ? parse_quantity(value.as_string()) : std::optional<Quantity>();
    if (!parsed) {
      throw Error(
          ErrorKind::data,
          fmt::format("{}, OP: {} is none of + * ? ! {{n}} {{n,m}} {{n,}} {{,m}} with n up "
                      "to m",
                      place,
                      value.is_string() ? fmt::format("\"{}\"", printable_brief(value.as_string()))
                                        : std::string(value.type_name())));
    }
    quantity = *parsed;
  }
  return quantity;
}

[[noreturn]] void fail_too_long(const std::string& place) {
  throw Error(ErrorKind::data,
              fmt::format("{}: the pattern has more than {} tokens, each written out as often as "
                          "its OP says; use + or * (docs/limits.md)",
                          place, kMostPatternItems));
}

void append(TokenPattern& pattern, PatternItem item, const Quantity& quantity,
            const std::string& place) {
  const std::size_t count = quantity.max.value_or(quantity.min + 1);
  if (count > kMostPatternItems - pattern.items.size()) fail_too_long(place);
  item.negated = quantity.negated;
  item.count = PatternItem::Count::one;
  pattern.items.insert(pattern.items.end(), quantity.min, item);
  item.count = quantity.max ? PatternItem::Count::optional : PatternItem::Count::any;
  pattern.items.insert(pattern.items.end(), count - quantity.min, item);
}

}  // namespace

TokenPattern compile_pattern(const List& pattern, const std::string& place, TestTable& table,
                             std::vector<std::string>& warnings) {
  TokenPattern compiled;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string here = fmt::format("{}, token {}", place, i + 1);
    if (!pattern[i].is_object()) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: a token is a map, and not {}", here, pattern[i].type_name()));
    }
    const Object& token = pattern[i].as_object();
    PatternItem item;
    item.test = table.add(read_token(token, here, table, warnings));
    item.token = static_cast<std::uint32_t>(i);
    append(compiled, item, quantity_of(token, here), here);
  }
  if (pattern.empty()) throw Error(ErrorKind::data, place + ": the pattern has no token");
  compiled.variable_items = static_cast<std::size_t>(
      std::count_if(compiled.items.begin(), compiled.items.end(),
                    [](const PatternItem& item) { return item.count != PatternItem::Count::one; }));
  return compiled;
}

}  // namespace weft
