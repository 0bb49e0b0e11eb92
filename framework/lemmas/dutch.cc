// Dutch lemmas.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "framework/lemmas/lemma_rule.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

constexpr std::array kWithRules = {"noun", "verb", "aux", "adj", "adv",
                                   "pron", "det",  "adp", "num"};

// An empty lemma counts as none.
std::optional<std::string> looked_up(const LemmaTables& tables, const std::string& word) {
  const LemmaLookup* table = tables.lookup("lemma_lookup");
  if (table == nullptr) return std::nullopt;
  const auto found = table->find(string_id(word));
  if (found == table->end() || found->second.empty()) return std::nullopt;
  return found->second;
}

}  // namespace

std::string dutch_lemma_by_lookup(const LemmaTables& tables, const LemmaQuery& word) {
  const std::string lowered = lower(word.text);
  return lemma_or(tables.lookup("lemma_lookup"), lowered, lowered);
}

// Forms of the index go before exceptions, these before what is looked up and what rules give.
std::string dutch_lemma_by_rules(const LemmaTables& tables, const LemmaQuery& word) {
  std::string lowered = lower(word.text);
  if (std::find(kWithRules.begin(), kWithRules.end(), word.pos) == kWithRules.end()) return lowered;
  const LemmaRules& rules = tables.rules(word.pos);
  if (rules.index.contains(lowered)) return lowered;
  const auto exception = rules.exceptions.find(lowered);
  if (exception != rules.exceptions.end() && !exception->second.empty()) {
    return exception->second.front();
  }
  const auto known = looked_up(tables, lowered);
  if (known && rules.index.contains(*known)) return *known;
  std::optional<std::string> first, first_exception;  // of the forms
  for (const auto& [old, replacement] : rules.endings) {
    word.pass();
    if (!lowered.ends_with(old)) continue;
    word.make(lowered.size() + replacement.size());
    std::string form = lowered.substr(0, lowered.size() - old.size()) + replacement;
    if (form.empty()) continue;
    if (rules.index.contains(form)) return form;
    if (!first_exception && rules.exceptions.contains(form)) first_exception = form;
    if (!first) first = std::move(form);
  }
  if (first_exception) return *first_exception;
  return known ? *known : first.value_or(lowered);
}

}  // namespace weft
