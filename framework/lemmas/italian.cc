// Italian lemmas: a table for each part of speech, and forms of articles and pronouns.
#include <algorithm>
#include <initializer_list>

#include "framework/lemmas/lemma_rule.h"
#include "framework/lemmas/noun_lemma.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string completed(const std::string& lemma) {
  return is_one_of(lemma, {"alcun", "qualcun"}) ? lemma + "o" : lemma;
}

std::string determiner(const LemmaLookup* table, const std::string& word) {
  if (is_one_of(word, {"l'", "lo", "la", "i", "gli", "le"})) return "il";
  if (is_one_of(word, {"un'", "un", "una"})) return "uno";
  return lemma_or(table, word, word);
}

std::string pronoun(const LemmaLookup* table, const std::string& word) {
  if (is_one_of(word, {"l'", "li", "la", "gli", "le"})) return "lo";
  if (is_one_of(word, {"un'", "un", "una"})) return "uno";
  return completed(lemma_or(table, word, word));
}

// An entry that is empty counts as none.
std::string other_word(const LemmaTables& tables, const LemmaLookup* table, std::string_view word) {
  std::string lemma = lemma_or(table, word, "");
  if (lemma.empty()) lemma = lemma_or(tables.lookup("lemma_lookup_other"), word, "");
  return lemma.empty() ? lemma_or(tables.lookup("lemma_lookup"), word, lower(word)) : lemma;
}

std::string table_name(const std::string& pos) {
  if (pos == "propn") return "lemma_lookup_noun";
  return "lemma_lookup_" + (pos == "part" ? "pron" : pos);
}

}  // namespace

std::string italian_lemma(const LemmaTables& tables, const LemmaQuery& word) {
  const LemmaLookup* table = tables.lookup(table_name(word.pos));
  const std::string lowered = lower(word.text);
  if (word.pos == "noun") return noun_lemma(table, word.text);
  if (word.pos == "det") return determiner(table, lowered);
  if (word.pos == "pron") return pronoun(table, lowered);
  if (word.pos == "adj") return completed(lemma_or(table, lowered, lowered));
  if (word.pos == "adp") return lowered == "d'" ? "di" : lemma_or(table, lowered, lowered);
  return other_word(tables, table, word.pos == "propn" ? word.text : std::string_view(lowered));
}

}  // namespace weft
