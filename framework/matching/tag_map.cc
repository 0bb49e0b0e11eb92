// Rules out of the older forms of files: tag maps and morph rules.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "framework/matching/attribute_rules.h"
#include "framework/text/morph_features.h"
#include "framework/text/printable.h"
#include "framework/text/symbols.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Written as attributes are, in capitals; all else is the name of a feature.
bool names_attribute(std::string_view key) {
  for (const std::string_view other : {"", "_", "ID", "LANG", "IDX"}) {
    if (key == other) return true;
  }
  const bool capitals =
      std::none_of(key.begin(), key.end(), [](unsigned char c) { return std::islower(c) != 0; });
  return capitals && (attr_of(key).has_value() || key.starts_with("FLAG"));
}

std::string text_of(const Node& value, const std::string& place) {
  if (value.is_string()) return value.as_string();
  throw Error(ErrorKind::data,
              fmt::format("{}: the value is {}, and not a string", place, value.type_name()));
}

const Object& object_of(const Node& value, const std::string& place) {
  if (value.is_object()) return value.as_object();
  throw Error(ErrorKind::data,
              fmt::format("{} is {}, and not an object", place, value.type_name()));
}

// Features go into MORPH unless it is given; with `always` it is set to none where there are none.
Object split(const Object& entry, const std::string& place, bool always) {
  Object attrs;
  MorphFeatures features;
  for (const auto& [key, value] : entry) {
    const std::string here = fmt::format("{}, {}", place, printable_brief(key));
    if (names_attribute(key)) {
      attrs.set(key, value);
    } else {
      features.set(key, text_of(value, here));
    }
  }
  if (Node* given = attrs.find("MORPH")) {
    *given = normalised_features(text_of(*given, place + ", MORPH"));
  } else if (always || !features.empty()) {
    attrs.set("MORPH", features.str());
  }
  return attrs;
}

AttributeRule rule_for(Object token, Object attrs) {
  List pattern;
  pattern.emplace_back(std::move(token));
  AttributeRule rule;
  rule.patterns.emplace_back(std::move(pattern));
  rule.attrs = std::move(attrs);
  return rule;
}

}  // namespace

std::vector<AttributeRule> rules_of_tag_map(const Object& map) {
  std::vector<AttributeRule> rules;
  for (const auto& [tag, entry] : map) {
    const std::string place = fmt::format("tag map, \"{}\"", printable_brief(tag));
    Object token;
    token.set("TAG", tag);
    rules.push_back(rule_for(std::move(token), split(object_of(entry, place), place, true)));
  }
  return rules;
}

std::vector<AttributeRule> rules_of_morph_rules(const Object& by_tag) {
  std::vector<AttributeRule> rules;
  for (const auto& [tag, words] : by_tag) {
    const std::string place = fmt::format("morph rules, \"{}\"", printable_brief(tag));
    for (const auto& [word, entry] : object_of(words, place)) {
      const std::string here = fmt::format("{}, \"{}\"", place, printable_brief(word));
      Object token;
      token.set("ORTH", word);
      token.set("TAG", tag);
      rules.push_back(rule_for(std::move(token), split(object_of(entry, here), here, false)));
    }
  }
  return rules;
}

}  // namespace weft
