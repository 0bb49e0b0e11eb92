#include "framework/matching/dead_pattern.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "framework/matching/pattern_attribute.h"
#include "framework/matching/quantity.h"
#include "framework/text/lexeme.h"
#include "framework/text/printable.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

using Obstacle = std::optional<std::string>;

// Flags of which a word has one at most.
constexpr std::array kApart = {Attr::is_alpha, Attr::is_digit, Attr::is_punct, Attr::is_space};

bool has_to_pass(const Object& token) {
  for (const auto& [key, value] : token) {
    if (upper_name(key) != "OP" || !value.is_string()) continue;
    const auto quantity = parse_quantity(value.as_string());
    return quantity && quantity->min > 0 && !quantity->negated;
  }
  return true;
}

std::string in_quotes(std::string_view text) {
  return fmt::format("\"{}\"", printable_brief(text));
}

// The texts that a condition compares with: its value, or all that its list names. Nothing for
// others.
std::optional<std::vector<std::string>> compared_texts(const Node& value) {
  if (value.is_string()) return std::vector{value.as_string()};
  if (!value.is_object()) return std::nullopt;
  for (const auto& [name, list] : value.as_object()) {
    if (upper_name(name) != "IN" || !list.is_list()) continue;
    std::vector<std::string> texts;
    for (const Node& entry : list.as_list()) {
      if (!entry.is_string()) return std::nullopt;
      texts.push_back(entry.as_string());
    }
    return texts;
  }
  return std::nullopt;
}

Obstacle why_empty(const Node& value) {
  if (!value.is_object()) return std::nullopt;
  for (const auto& [name, list] : value.as_object()) {
    const std::string upper = upper_name(name);
    const bool needs_one = upper == "IN" || upper == "INTERSECTS";
    if (needs_one && list.is_list() && list.as_list().empty()) {
      return fmt::format("{} has an empty list, in which nothing is", upper);
    }
  }
  return std::nullopt;
}

Obstacle why_capitals(const std::vector<std::string>& texts) {
  const auto is_lower_case = [](const std::string& text) { return lower(text) == text; };
  if (texts.empty() || std::any_of(texts.begin(), texts.end(), is_lower_case)) return std::nullopt;
  return fmt::format("{} has capital letters, and LOWER is a word in lower case; write {}",
                     in_quotes(texts[0]), in_quotes(lower(texts[0])));
}

// Exceptions of a tokenizer may be written with a capital.
std::vector<std::string> in_other_cases(const std::string& text) {
  std::vector<std::string> all = {text};
  if (text.empty() || text[0] < 'a' || text[0] > 'z') return all;
  all.push_back(text);
  all.back()[0] = static_cast<char>(text[0] - 'a' + 'A');
  all.push_back(upper_name(text));
  return all;
}

Obstacle why_cut(const std::vector<std::string>& texts, bool any_case, const PatternUse& use) {
  if (texts.empty()) return std::nullopt;
  for (const std::string& text : texts) {
    for (const std::string& one : any_case ? in_other_cases(text) : std::vector{text}) {
      if (use.tokens_in(one) == 1) return std::nullopt;
    }
  }
  return fmt::format(
      "the tokenizer makes {} tokens of {}; give each of them its own part of the "
      "pattern",
      use.tokens_in(texts[0]), in_quotes(texts[0]));
}

Obstacle why_flag(const std::string& word, Attr flag, bool wanted, const PatternUse& use) {
  if (use.vocab.lexeme(word).has(flag) == wanted) return std::nullopt;
  return fmt::format("{} is {} the word {}", wanted ? "true" : "false",
                     wanted ? "false of" : "true of", in_quotes(word));
}

// Reasons that lie in one condition.
Obstacle why_value(Attr attr, const Node& value, const PatternUse& use) {
  if (Obstacle empty = why_empty(value)) return empty;
  if (attr != Attr::lower && attr != Attr::orth) return std::nullopt;
  const auto texts = compared_texts(value);
  if (!texts) return std::nullopt;
  if (attr == Attr::lower) {
    if (Obstacle capitals = why_capitals(*texts)) return capitals;
  }
  return why_cut(*texts, attr == Attr::lower, use);
}

// Reasons that lie in two conditions of a token: flags that exclude each other, or a word that is
// another than the flags say.
class Together {
 public:
  explicit Together(const PatternUse& use) : use_(use) {}

  Obstacle add(const std::string& key, Attr attr, const Node& value) {
    if (attr == Attr::orth && value.is_string()) word_ = value.as_string();
    if (!is_word_flag(attr) || !value.is_bool()) return std::nullopt;
    flags_.push_back({key, attr, value.as_bool()});
    if (!value.as_bool() || std::find(kApart.begin(), kApart.end(), attr) == kApart.end()) {
      return std::nullopt;
    }
    if (!apart_.empty()) return fmt::format("no token has it and {}", printable_brief(apart_));
    apart_ = key;
    return std::nullopt;
  }
  // With the key that it is about.
  std::optional<std::pair<std::string, std::string>> finish() const {
    if (word_.empty()) return std::nullopt;
    for (const Flag& flag : flags_) {
      if (const Obstacle reason = why_flag(word_, flag.attr, flag.wanted, use_)) {
        return std::pair(flag.key, *reason);
      }
    }
    return std::nullopt;
  }

 private:
  struct Flag {
    std::string key;
    Attr attr;
    bool wanted;
  };
  const PatternUse& use_;
  std::string word_, apart_;
  std::vector<Flag> flags_;
};

// "LOWER: ..."
Obstacle why_token(const Object& token, const PatternUse& use) {
  Together together(use);
  for (const auto& [key, value] : token) {
    const auto attribute = pattern_attribute(key);
    if (!attribute) continue;
    Obstacle reason = why_value(attribute->attr, value, use);
    if (!reason) reason = together.add(key, attribute->attr, value);
    if (reason) return fmt::format("{}: {}", printable_brief(key), *reason);
  }
  if (const auto found = together.finish()) {
    return fmt::format("{}: {}", printable_brief(found->first), found->second);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> why_never(const List& pattern, const PatternUse& use) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (!pattern[i].is_object() || !has_to_pass(pattern[i].as_object())) continue;
    if (const Obstacle reason = why_token(pattern[i].as_object(), use)) {
      return fmt::format("token {}, {}", i + 1, *reason);
    }
  }
  return std::nullopt;
}

}  // namespace weft
