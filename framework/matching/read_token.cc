#include "framework/matching/read_token.h"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "framework/matching/pattern_attribute.h"
#include "framework/matching/read_predicate.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// A plain value as the number that tokens have; nothing where it is none.
std::optional<StringId> plain_value(Attr attr, const Node& value) {
  if (value.is_string()) {
    if (attr == Attr::ent_iob) {
      if (const auto mark = iob_number(value.as_string())) return mark;
    }
    return string_id(value.as_string());
  }
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  return id_of(value);
}

// Of a value that is no number that tokens have.
std::string_view unfit_name(const Node& value) {
  if (!value.is_integer()) return value.type_name();
  const auto* big = std::get_if<BigInteger>(&value.value());
  return big == nullptr || big->digits.starts_with('-') ? "negative" : "above 2^64 - 1";
}

void add_flag(TokenTest& test, Attr attr, StringId value) {
  const LexemeFlags bit = flag_bit(attr);
  const LexemeFlags wanted = value == 1 ? bit : 0;
  test.never = test.never || value > 1 || ((test.mask & bit) != 0 && (test.flags & bit) != wanted);
  test.mask |= bit;
  test.flags |= wanted;
}

void add_equal(TokenTest& test, Attr attr, StringId value) {
  for (const TokenTest::Equal& known : test.equals) {
    if (known.attr != attr) continue;
    test.never = test.never || known.value != value;
    return;
  }
  test.equals.push_back({attr, value});
}

}  // namespace

TokenTest read_token(const Object& token, const std::string& place, TestTable& table,
                     std::vector<std::string>& warnings) {
  TokenTest test;
  for (const auto& [key, value] : token) {
    if (upper_name(key) == "OP") continue;
    const std::string here = fmt::format("{}, {}", place, printable_brief(key));
    if (key == "_") {
      throw Error(ErrorKind::data, here +
                                       ": extension attributes belong to programs in Python; "
                                       "weft's documents have none");
    }
    const auto attribute = pattern_attribute(key);
    if (!attribute) {
      throw Error(ErrorKind::data, here + ": is no attribute of tokens" + suggest_attribute(key));
    }
    const Attr attr = attribute->attr;
    if (value.is_object()) {
      for (const std::uint32_t predicate :
           read_predicates(attr, value.as_object(), here, table, warnings)) {
        test.predicates.push_back(predicate);
      }
      continue;
    }
    const auto plain = plain_value(attr, value);
    if (!plain) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: a token's value cannot be {}", here, unfit_name(value)));
    }
    if (is_word_flag(attr)) {
      add_flag(test, attr, *plain);
    } else {
      add_equal(test, attr, *plain);
    }
  }
  return test;
}

}  // namespace weft
