// Reads patterns of rule files: literals, names in angle brackets, groups, and look-around in
// words.
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "framework/text/rule_budget.h"
#include "framework/text/rule_names.h"
#include "framework/text/rule_pattern_text.h"
#include "framework/text/rule_readers.h"
#include "framework/text/rule_scanner.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

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

std::string read_rule_pattern(const RuleNames& names, std::string_view expression) {
  return PatternReader(names, expression).pattern();
}

std::string read_rule_entry(const RuleNames& names, std::string_view entry) {
  return PatternReader(names, entry).entry();
}

}  // namespace weft
