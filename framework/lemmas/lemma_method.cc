#include "framework/lemmas/lemma_method.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// Languages whose rules are code of their own in the reference.
bool is_refused(std::string_view lang, std::string_view mode) {
  if (is_one_of(lang, {"ru", "uk"})) return true;
  if (mode == "rule") return is_one_of(lang, {"ca", "el", "es", "fr", "ht", "mk"});
  return mode == "pos_lookup" && lang == "ga";
}

LemmaMethod rule_method(std::string_view lang) {
  if (lang == "nl") {
    return {dutch_lemma_by_rules, {"lemma_lookup", "lemma_rules", "lemma_exc", "lemma_index"}};
  }
  if (lang == "en") return {english_lemma_by_rules, {"lemma_rules"}, true};
  return {lemma_by_rules, {"lemma_rules"}};
}

std::vector<std::string> tables_of(std::initializer_list<const char*> parts_of_speech) {
  std::vector<std::string> tables;
  for (const char* pos : parts_of_speech) tables.push_back(std::string("lemma_lookup_") + pos);
  return tables;
}

LemmaMethod pos_method(std::string_view lang) {
  if (lang == "pl") {
    return {polish_lemma,
            tables_of({"adj", "adp", "adv", "aux", "noun", "num", "part", "pron", "verb"})};
  }
  LemmaMethod method{italian_lemma, tables_of({"num", "det", "adp", "adj", "noun", "pron", "verb",
                                               "aux", "adv", "other"})};
  method.required.emplace_back("lemma_lookup");
  return method;
}

}  // namespace

LemmaMethod lemma_method(std::string_view lang, std::string_view mode) {
  const bool per_pos = mode == "pos_lookup";
  if (!is_one_of(mode, {"lookup", "rule", "pos_lookup"}) && !is_refused(lang, mode)) {
    throw Error(ErrorKind::config, fmt::format("a lemmatizer has no mode \"{}\": it is lookup, "
                                               "rule or pos_lookup",
                                               printable_brief(mode)));
  }
  if (is_refused(lang, mode)) {
    throw Error(ErrorKind::config,
                fmt::format("the lemmatizer of the language \"{}\" in mode \"{}\" is known, not "
                            "built; use a trainable_lemmatizer{}",
                            printable_brief(lang), printable_brief(mode),
                            is_one_of(lang, {"ru", "uk"}) ? "" : " or mode = \"lookup\""));
  }
  if (per_pos && !is_one_of(lang, {"it", "pl"})) {
    throw Error(ErrorKind::config,
                fmt::format("the language \"{}\" has no lemma tables by part of speech: mode is "
                            "lookup or rule",
                            printable_brief(lang)));
  }
  if (per_pos) return pos_method(lang);
  if (mode == "rule") return rule_method(lang);
  return {lang == "nl" ? dutch_lemma_by_lookup : lemma_by_lookup, {"lemma_lookup"}};
}

}  // namespace weft
