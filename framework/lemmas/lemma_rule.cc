#include "framework/lemmas/lemma_rule.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "framework/unicode/unicode.h"
#include "registry/base/seeded_hash.h"

namespace weft {
namespace {

bool is_alphabetic(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    if (!is_alpha(next_code_point(text, pos))) return false;
  }
  return !text.empty();
}

// The first of the forms that the endings and exceptions give. The reference lists them: an
// exception goes before all that the list has, unless it is there, and so does a form of the index;
// words that are no letters go to its end. An exception may be empty.
// `word`: of `query`, in lower case.
std::optional<std::string> best_form(const LemmaRules& rules, const std::string& word,
                                     const LemmaQuery& query) {
  std::optional<std::string> of_index, of_signs, unknown;  // the last, the first, the first
  const auto exceptions = rules.exceptions.find(word);
  // Those of the list that are exceptions too.
  std::unordered_set<std::string, SeededHash> forms;
  for (const auto& [old, replacement] : rules.endings) {
    query.pass();
    if (!word.ends_with(old)) continue;
    query.make(word.size() + replacement.size());
    std::string form = word.substr(0, word.size() - old.size()) + replacement;
    if (form.empty()) continue;
    const bool is_known = rules.index.contains(form);
    if (!is_known && is_alphabetic(form)) {
      if (!unknown) unknown = std::move(form);
      continue;
    }
    if (is_known) {
      of_index = form;
    } else if (!of_signs) {
      of_signs = form;
    }
    if (exceptions == rules.exceptions.end()) continue;
    const std::vector<std::string>& listed = exceptions->second;
    query.make(listed.size());
    if (std::ranges::find(listed, form) != listed.end()) forms.insert(std::move(form));
  }
  if (exceptions != rules.exceptions.end()) {
    const std::string* first = nullptr;
    for (const std::string& form : exceptions->second) {
      query.make(form.size());
      if (forms.insert(form).second) first = &form;
    }
    if (first != nullptr) return *first;
  }
  return of_index ? of_index : of_signs ? of_signs : unknown;
}

bool is_base_form(const LemmaQuery& word) {
  const auto has = [&](const char* field, std::string_view value) {
    const auto found = word.features.find(field);
    return found != word.features.end() && found->second == value;
  };
  if (word.pos == "noun" && has("Number", "Sing")) return true;
  if (word.pos == "verb" && has("VerbForm", "Inf")) return true;
  if (word.pos == "verb" && has("VerbForm", "Fin") && has("Tense", "Pres") &&
      !word.features.contains("Number")) {
    return true;
  }
  if (word.pos == "adj" && has("Degree", "Pos")) return true;
  return has("VerbForm", "Inf") || has("VerbForm", "None") || has("Degree", "Pos");
}

bool is_unclassified(std::string_view pos) {
  return pos.empty() || pos == "eol" || pos == "space";
}

}  // namespace

std::string lemma_or(const LemmaLookup* table, std::string_view text, std::string_view otherwise) {
  if (table != nullptr) {
    const auto found = table->find(string_id(text));
    if (found != table->end()) return found->second;
  }
  return std::string(otherwise);
}

std::string lemma_by_lookup(const LemmaTables& tables, const LemmaQuery& word) {
  return lemma_or(tables.lookup("lemma_lookup"), word.text, word.text);
}

std::string lemma_by_rules(const LemmaTables& tables, const LemmaQuery& word) {
  std::string lowered = lower(word.text);
  if (is_unclassified(word.pos)) return lowered;
  const LemmaRules& rules = tables.rules(word.pos);
  if (rules.empty()) return word.pos == "propn" ? std::string(word.text) : lowered;
  return best_form(rules, lowered, word).value_or(std::string(word.text));
}

std::string english_lemma_by_rules(const LemmaTables& tables, const LemmaQuery& word) {
  if (!is_unclassified(word.pos) && is_base_form(word)) return lower(word.text);
  return lemma_by_rules(tables, word);
}

}  // namespace weft
