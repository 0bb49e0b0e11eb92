#include "framework/text/rule_names.h"

#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "framework/regex/syntax.h"
#include "framework/text/rule_pattern_text.h"
#include "framework/text/rule_readers.h"
#include "registry/base/error.h"

namespace weft {

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
  return read_rule_set(*this, expression);
}

std::string RuleNames::pattern_of(std::string_view expression) const {
  return read_rule_pattern(*this, expression);
}

std::string RuleNames::entry_of(std::string_view entry) const {
  return read_rule_entry(*this, entry);
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
