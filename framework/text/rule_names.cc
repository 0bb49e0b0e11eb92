#include "framework/text/rule_names.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "framework/regex/syntax.h"
#include "framework/text/rule_scanner.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

bool is_plain_ascii(char32_t c) {
  return (c >= U'0' && c <= U'9') || (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
}

// One character in a pattern; `in_class` ones are escaped so that they cannot be read as syntax.
void write_code_point(std::string& out, char32_t c) {
  if (is_plain_ascii(c)) {
    append_utf8(out, c);
  } else if (c > U' ' && c < 0x7F) {
    out += '\\';
    append_utf8(out, c);
  } else if (c > 0xFFFF) {
    fmt::format_to(std::back_inserter(out), "\\U{:08X}", static_cast<unsigned>(c));
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04X}", static_cast<unsigned>(c));
  }
}

// Letters and signs that mean only themselves are left readable.
void write_literal(std::string& out, std::string_view text) {
  constexpr std::string_view kSyntax = "\\^$.|?*+()[]{}";
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = next_code_point(text, pos);
    if (c > 0x20 && c < 0x7F && kSyntax.find(static_cast<char>(c)) == kSyntax.npos) {
      out += static_cast<char>(c);
    } else if (c < 0x7F || is_space(c)) {
      write_code_point(out, c);
    } else {
      append_utf8(out, c);
    }
  }
}

std::string class_of(const RuleSet& set) {
  const auto& ranges = set.points.ranges();
  if (ranges.empty() && set.shorthands.size() == 2) return set.shorthands;
  std::string out = "[" + set.shorthands;
  for (const auto& range : ranges) {
    write_code_point(out, range.first);
    if (range.last == range.first) continue;
    if (range.last > range.first + 1) out += '-';
    write_code_point(out, range.last);
  }
  return out + "]";
}

CodePointSet characters_of(std::string_view text) {
  std::vector<CodePointSet::Range> ranges;
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = next_code_point(text, pos);
    ranges.push_back({c, c});
  }
  return CodePointSet(std::move(ranges));
}

// A set's size in memory and, about, in steps of an operation on it.
std::size_t cost_of(const CodePointSet& points) {
  return sizeof(RuleSet) + points.ranges().size() * sizeof(CodePointSet::Range);
}

// `more` holds shorthands of two characters; each stands in `to` once.
void add_shorthands(std::string& to, std::string_view more) {
  for (; !more.empty(); more.remove_prefix(2)) {
    if (to.find(more.substr(0, 2)) == std::string::npos) to += more.substr(0, 2);
  }
}

// Reads an expression of sets by recursive descent: terms are ranges, characters, categories, names
// and parentheses, joined by + - & without precedence.
class SetReader {
 public:
  SetReader(const RuleNames& names, std::string_view expression) : names_(names), in_(expression) {}

  RuleSet whole() {
    RuleSet set = sum();
    if (!in_.done()) in_.fail("something follows the set");
    return set;
  }

 private:
  // Left to right: `a + b - c & d` is ((a + b) - c) & d.
  RuleSet sum() {
    RuleSet left = term();
    while (true) {
      names_.budget().charge(cost_of(left.points));
      if (in_.take("+")) {
        const RuleSet right = term();
        left.points = left.points | right.points;
        add_shorthands(left.shorthands, right.shorthands);
      } else if (in_.take("-")) {
        // A difference has to know the members of shorthands, so these are written out from here
        // on.
        left = {left.resolved() - term().resolved(), ""};
      } else if (in_.take("&")) {
        left = {left.resolved() & term().resolved(), ""};
      } else {
        return left;
      }
    }
  }

  RuleSet term() {
    if (in_.take("(")) {
      const RuleDepth deeper(depth_);
      RuleSet inner = sum();
      if (!in_.take(")")) in_.fail("a parenthesis is not closed");
      return inner;
    }
    if (in_.take("\\p{")) return category(in_.until('}'));
    if (in_.take("U+")) return range_from(in_.code_point());
    if (in_.take("'")) return range_or_characters(in_.quoted('\''));
    return named(in_.name());
  }

  RuleSet category(std::string_view name) {
    RuleSet set{CodePointSet::of_category(name), ""};
    names_.budget().charge(cost_of(set.points));
    return set;
  }

  RuleSet range_or_characters(const std::string& text) {
    if (count_code_points(text) != 1) return {characters_of(text), ""};
    std::size_t pos = 0;
    return range_from(next_code_point(text, pos));
  }

  RuleSet range_from(char32_t first) {
    if (!in_.take("..")) return {CodePointSet::of(first), ""};
    char32_t last = 0;
    if (in_.take("U+")) {
      last = in_.code_point();
    } else if (in_.take("'")) {
      std::size_t pos = 0;
      last = next_code_point(in_.quoted('\'') + " ", pos);
    }
    if (last < first) in_.fail("a range needs a last character that is not before its first");
    return {CodePointSet({{first, last}}), ""};
  }

  RuleSet named(const std::string& name) {
    if (const RuleSet* set = names_.find_set(name)) {
      names_.budget().charge(cost_of(set->points));
      return *set;
    }
    const auto* list = names_.find_list(name);
    if (!list) in_.fail(fmt::format("no set or list is called {}", name));
    std::string characters;
    for (const std::string& word : *list) {
      names_.budget().charge(word.size() * sizeof(CodePointSet::Range));
      characters += word;
    }
    return {characters_of(characters), ""};
  }

  const RuleNames& names_;
  RuleScanner in_;
  int depth_ = 0;
};

// Turns an entry of a rule file into Python's syntax: literals are escaped, names become classes or
// groups, and `before`, `after` and `not` become look-around.
class PatternReader {
 public:
  PatternReader(const RuleNames& names, std::string_view text) : names_(names), in_(text) {}

  std::string pattern() {
    std::string out = alternatives();
    if (!in_.done()) in_.fail("something follows the pattern");
    return out;
  }

  // PATTERN [after PATTERN] [before PATTERN | not before PATTERN], in any order.
  std::string entry() {
    std::string middle = alternatives(), before, after;
    if (several_) middle = "(?:" + middle + ")";
    while (!in_.done()) {
      if (in_.take_word("after")) {
        before += "(?<=" + alternatives() + ")";
      } else if (in_.take_word("before")) {
        after += "(?=" + alternatives() + ")";
      } else if (in_.take_word("not")) {
        not_beside(before, after);
      } else {
        in_.fail("neither a pattern nor one of: after, before, not after, not before");
      }
    }
    return before + middle + after;
  }

 private:
  void not_beside(std::string& before, std::string& after) {
    if (in_.take_word("after")) {
      before += "(?<!" + alternatives() + ")";
    } else if (in_.take_word("before")) {
      after += "(?!" + alternatives() + ")";
    } else {
      in_.fail("after `not` comes `after` or `before`");
    }
  }

  std::string alternatives() {
    std::string out = sequence();
    bool several = false;
    while (in_.take("|")) {
      out += "|" + sequence();
      several = true;
    }
    several_ = several;
    return out;
  }

  std::string sequence() {
    std::string out;
    for (std::string next = item(); !next.empty() || empty_literal_; next = item()) out += next;
    return out;
  }

  // Nothing at the end of a sequence.
  std::string item() {
    empty_literal_ = false;
    if (in_.take("\"")) {
      const std::string text = in_.quoted('"');
      std::string out;
      write_literal(out, text);
      empty_literal_ = out.empty();
      return quantified(std::move(out), count_code_points(text) != 1);
    }
    if (in_.take("<")) return quantified(names_.reference(in_.until('>')), false);
    if (in_.take("!(")) return "(?!" + closed() + ")";
    if (in_.take("(")) return quantified("(?:" + closed() + ")", false);
    return "";
  }

  std::string closed() {
    const RuleDepth deeper(depth_);
    std::string inner = alternatives();
    if (!in_.take(")")) in_.fail("a parenthesis is not closed");
    return inner;
  }

  std::string quantified(std::string item, bool wrap) {
    std::string quantifier;
    // A quantifier stands right behind its item; behind a blank the sign would be something else.
    if (in_.touches('+') || in_.touches('*') || in_.touches('?')) {
      for (const char* sign : {"+", "*", "?"}) {
        if (in_.take(sign)) quantifier = sign;
      }
    } else if (in_.touches('{')) {
      quantifier = counts();
    }
    if (quantifier.empty()) return item;
    return (wrap ? "(?:" + item + ")" : item) + quantifier;
  }

  std::string counts() {
    in_.take("{");
    std::string out = fmt::format("{{{}", in_.number());
    if (in_.take(",")) out += in_.at('}') ? "," : fmt::format(",{}", in_.number());
    if (!in_.take("}")) in_.fail("a brace is not closed");
    return out + "}";
  }

  const RuleNames& names_;
  RuleScanner in_;
  bool several_ = false;
  bool empty_literal_ = false;
  int depth_ = 0;
};

}  // namespace

CodePointSet RuleSet::resolved() const {
  CodePointSet all = points;
  for (std::size_t i = 1; i < shorthands.size(); i += 2) {
    all = all | (shorthands[i] == 'w'   ? python_word()
                 : shorthands[i] == 'd' ? python_digit()
                                        : python_space().complement());
  }
  return all;
}

RuleNames::RuleNames(RuleBudget& budget) : budget_(budget) {
  sets_["digit"] = {CodePointSet({{U'0', U'9'}}), ""};
  sets_["decimal"] = {{}, "\\d"};
  sets_["word"] = {{}, "\\w"};
  sets_["visible"] = {{}, "\\S"};
}

void RuleNames::check_new(const std::string& name) const {
  if (sets_.contains(name) || lists_.contains(name) || patterns_.contains(name)) {
    throw Error(ErrorKind::config, fmt::format("{} is defined twice", name));
  }
}

void RuleNames::define_set(const std::string& name, std::string_view expression) {
  check_new(name);
  sets_[name] = set_of(expression);
}

void RuleNames::define_list(const std::string& name, std::vector<std::string> words, bool more) {
  if (words.empty()) throw Error(ErrorKind::config, fmt::format("the list {} is empty", name));
  if (!more) check_new(name);
  std::vector<std::string>& list = lists_[name];
  list.insert(list.end(), std::make_move_iterator(words.begin()),
              std::make_move_iterator(words.end()));
}

void RuleNames::define_pattern(const std::string& name, std::string_view expression) {
  check_new(name);
  patterns_[name] = "(?:" + pattern_of(expression) + ")";
}

RuleSet RuleNames::set_of(std::string_view expression) const {
  return SetReader(*this, expression).whole();
}

std::string RuleNames::pattern_of(std::string_view expression) const {
  return PatternReader(*this, expression).pattern();
}

std::string RuleNames::entry_of(std::string_view entry) const {
  return PatternReader(*this, entry).entry();
}

// A pattern of that name first, then a list as alternatives of its words, else the class of a set.
std::string RuleNames::reference(std::string_view name) const {
  const auto pattern = patterns_.find(name);
  if (pattern != patterns_.end()) {
    budget_.charge(pattern->second.size());
    return pattern->second;
  }
  const auto* list = find_list(name);
  if (!list) return class_of(set_of(name));
  std::string out = "(?:";
  for (const std::string& word : *list) {
    budget_.charge(word.size() + 1);
    if (out.size() > 3) out += "|";
    write_literal(out, word);
  }
  return out + ")";
}

const RuleSet* RuleNames::find_set(std::string_view name) const {
  const auto found = sets_.find(name);
  return found == sets_.end() ? nullptr : &found->second;
}

const std::vector<std::string>* RuleNames::find_list(std::string_view name) const {
  const auto found = lists_.find(name);
  return found == lists_.end() ? nullptr : &found->second;
}

}  // namespace weft
