#include "framework/text/language_rules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "framework/text/rule_names.h"
#include "framework/text/rule_scanner.h"
#include "framework/text/special_words.h"
#include "registry/base/error.h"
#include "registry/base/unicode.h"

namespace weft {
namespace {

using Entries = std::vector<std::string>;

std::string_view without_blanks(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) {
    line.remove_suffix(1);
  }
  return line;
}

// [kind NAME option …]
struct Section {
  std::string kind, name;
  WordVariants variants;
  bool ignore_case = false;
};

Section read_header(std::string_view inside) {
  Section section;
  RuleScanner in(inside);
  section.kind = in.name();
  if (section.kind == "group") section.name = in.name();
  while (!in.done()) {
    if (in.take_word("ignoring")) {
      if (!in.take_word("case")) in.fail("`ignoring` is followed by `case`");
      section.ignore_case = true;
    } else if (in.take_word("with")) {
      section.variants.from = in.word();
      if (!in.take_word("or")) in.fail("`with X` is followed by `or Y`");
      section.variants.to = in.word();
    } else if (in.take_word("in")) {
      if (!in.take_word("each") || !in.take_word("case"))
        in.fail("`in` is followed by `each case`");
      section.variants.each_case = true;
    } else {
      in.fail("an unknown option of a section");
    }
  }
  return section;
}

// An error with the file and the line in its message, those of the innermost of files that include
// each other.
class RuleLineError : public Error {
 public:
  RuleLineError(std::string_view file, std::size_t line, const Error& error)
      : Error(ErrorKind::config, fmt::format("{}.rules:{}: {}", file, line, error.what())) {}
};

class Builder {
 public:
  explicit Builder(const RuleFiles& files) : files_(files) {}

  // Included files are read in place, so later lines see their names; `open_` holds the chain of
  // files that are being read, to tell a cycle.
  void read(std::string_view name) {
    if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
      throw Error(ErrorKind::config, fmt::format("{}.rules includes itself", name));
    }
    open_.emplace_back(name);
    const std::string_view text = files_(name);
    budget_.charge(text.size());
    Section section;
    std::size_t number = 0;
    for (std::size_t pos = 0; pos < text.size(); ++number) {
      const std::size_t end = std::min(text.find('\n', pos), text.size());
      const std::string_view line = text.substr(pos, end - pos);
      if (find_invalid_utf8(line)) {  // all below reads whole characters
        throw RuleLineError(name, number + 1,
                            Error(ErrorKind::config, "the line is not valid UTF-8"));
      }
      take_line(line, section, name, number + 1);
      pos = end + 1;
    }
    open_.pop_back();
  }

  TokenizerRules rules() const {
    TokenizerRules rules;
    // Every alternative has its own anchor, as in the patterns that spaCy writes.
    rules.prefix_search = joined("prefixes", "^", "");
    rules.suffix_search = joined("suffixes", "", "$");
    rules.infix_finditer = joined("infixes", "", "");
    rules.token_match = joined("tokens", "^", "$");
    rules.url_match = joined("urls", "^", "$");
    if (rules.token_match && ignore_case_) rules.token_match->insert(0, "(?i)");
    rules.special_cases = words_.cases();
    return rules;
  }

 private:
  void take_line(std::string_view line, Section& section, std::string_view file,
                 std::size_t number) {
    line = without_blanks(line);
    if (line.empty() || line.front() == '#') return;
    try {
      if (line.front() == '[' && line.back() == ']') {
        section = read_header(line.substr(1, line.size() - 2));
        ignore_case_ |= section.ignore_case;
      } else if (section.kind.empty()) {
        include(line);
      } else {
        take_entry(line, section);
      }
    } catch (const RuleLineError&) {
      throw;
    } catch (const Error& error) {
      throw RuleLineError(file, number, error);
    }
  }

  void include(std::string_view line) {
    RuleScanner in(line);
    if (!in.take_word("include")) in.fail("before the first section only `include NAME` may stand");
    read(in.name());
  }

  void take_entry(std::string_view line, const Section& section) {
    if (section.kind == "sets" || section.kind == "lists" || section.kind == "patterns") {
      return define(line, section.kind);
    }
    if (section.kind == "words") return words_.add_words(line, section.variants);
    if (section.kind == "norms") return words_.add_norms(line, section.variants);
    if (section.kind == "contractions") return words_.add_contractions(line, section.variants);
    static const Entries& kinds =
        *new Entries{"prefixes", "suffixes", "infixes", "tokens", "urls", "group"};
    if (std::find(kinds.begin(), kinds.end(), section.kind) == kinds.end()) {
      throw Error(ErrorKind::config, fmt::format("there is no section [{}]", section.kind));
    }
    add_entry(line, entries_[section.kind + section.name]);
  }

  void add_entry(std::string_view line, Entries& target) {
    RuleScanner in(line);
    if (!in.take_word("use")) return target.push_back(names_.entry_of(line));
    const auto group = entries_.find("group" + in.name());
    if (group == entries_.end()) in.fail("there is no such group");
    // A copy: a group may use itself.
    for (const std::string& entry : Entries(group->second)) {
      budget_.charge(sizeof(std::string) + entry.size());
      target.push_back(entry);
    }
  }

  // NAME = DEFINITION, and for more words of a list NAME += WORDS.
  void define(std::string_view line, const std::string& kind) {
    RuleScanner in(line);
    const std::string name = in.name();
    const bool more = kind == "lists" && in.take("+");
    if (!in.take("=")) in.fail("a definition is NAME = …");
    const std::string_view rest = line.substr(line.find('=') + 1);
    if (kind == "sets") return names_.define_set(name, rest);
    if (kind == "patterns") return names_.define_pattern(name, rest);
    std::vector<std::string> words;
    for (RuleScanner list(rest); !list.done();) words.push_back(list.word());
    names_.define_list(name, std::move(words), more);
  }

  std::optional<std::string> joined(const std::string& kind, std::string_view head,
                                    std::string_view tail) const {
    const auto found = entries_.find(kind);
    if (found == entries_.end()) return std::nullopt;
    std::string out;
    for (const std::string& entry : found->second) {
      if (!out.empty()) out += '|';
      out.append(head).append(entry).append(tail);
    }
    return out;
  }

  const RuleFiles& files_;
  std::vector<std::string> open_;
  RuleBudget budget_;
  RuleNames names_{budget_};
  std::map<std::string, Entries> entries_;
  SpecialWords words_{budget_};
  bool ignore_case_ = false;
};

}  // namespace

TokenizerRules build_language_rules(std::string_view name, const RuleFiles& files) {
  Builder builder(files);
  builder.read(name);
  return builder.rules();
}

}  // namespace weft
